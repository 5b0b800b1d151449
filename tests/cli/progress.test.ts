import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/cli/io.ts';
import { openOutput } from '../../src/cli/terminal/output.ts';
import { openProgress } from '../../src/cli/terminal/progress.ts';
import { eventually } from '../support/eventually.ts';

const SERVER = 'https://latchkey.acme.example';

/** A progress bar on a terminal with `columns` columns, and its output. */
const on = (columns: number, env: Readonly<Record<string, string>> = { TERM: 'xterm', LANG: 'en_US.UTF-8' }, isTTY = true) => {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns });
  const pieces: string[] = [];
  stderr.on('data', (chunk: Buffer) => pieces.push(chunk.toString()));
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    env,
    cwd: '/',
    now: systemClock,
    interrupted: new AbortController().signal,
  };
  const lines = () =>
    pieces
      .join('')
      .split('\r')
      .map((line) => stripVTControlCharacters(line));
  return {
    progress: openProgress(io, openOutput(io, { json: false, color: true }), () => SERVER),
    lines,
    all: () => pieces.join(''),
  };
};

describe('progress', () => {
  it('fits into one line of a terminal of any width, also while it waits', async () => {
    const terminals = [10, 40, 200].map((columns) => ({ columns, ...on(columns) }));
    for (const { progress } of terminals) progress.show(123_456, 0.42, '123,456 of 293,943 sent');
    for (const { columns, progress, lines } of terminals) {
      await eventually(lines, (drawn) => drawn.length > 2);
      progress.end();
      for (const line of lines()) expect(line.length).toBeLessThan(columns);
      expect(lines()[1]).toContain('42%');
      if (columns > 80)
        expect(lines()[2]).toMatch(/^█+.*░+ 42% {2}123,456 of 293,943 sent {2}waiting for https:\/\/latchkey.acme.example, \d+ s$/);
    }
  });

  it('uses ASCII characters without UTF-8', () => {
    const { progress, lines } = on(100, { TERM: 'xterm', LANG: 'C' });
    progress.show(5, 0.5, 'half');
    progress.end();
    expect(lines()[1]).toMatch(/^#{20}-{20} 50% {2}half$/);
  });

  it('prints lines above itself, and clears itself at the end', () => {
    const { progress, all } = on(100);
    progress.show(5, null, 'calls');
    progress.print('line 17: Not JSON');
    progress.end();
    expect(stripVTControlCharacters(all())).toBe('\r5  calls\rline 17: Not JSON\n5  calls\r');
  });

  it('is hidden without a terminal', async () => {
    for (const { progress, all } of [on(80, { TERM: 'dumb' }), on(80, { TERM: 'xterm' }, false)]) {
      progress.show(5, 0.5, 'half');
      progress.print('printed');
      progress.end();
      expect(all()).toBe('printed\n');
    }
  });
});
