import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../support/eventually.ts';

const BIN = resolve(import.meta.dirname, '../../../bin/latchkey.js');

/**
 * `latchkey login` without a key, as a process of its own, once it shows its code: the code, the address where it is approved, and how the
 * process ended.
 */
export const startDeviceLogin = async (
  server: string,
): Promise<{ address: string; code: string; ended: Promise<{ code: number | null; text: string }> }> => {
  const home = await mkdtemp(join(tmpdir(), 'latchkey-login-'));
  const child = spawn(process.execPath, [BIN, 'login', '--server', server, '--device'], {
    env: { PATH: process.env.PATH, LATCHKEY_HOME: home, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = once(child, 'close').then(async ([code]) => {
    await rm(home, { recursive: true });
    return { code, text };
  });
  await until(() => text.includes('Ctrl-C'));
  return { address: /http\S+\?code=\S+/.exec(text)?.[0] ?? '', code: /[A-Z]{4}-[A-Z]{4}/.exec(text)?.[0] ?? '', ended };
};
