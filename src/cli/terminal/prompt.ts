import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../io.ts';
import { linesOf } from '../recording/lines.ts';
import type { Output } from './output.ts';

const prompt = (io: Io, question: string, silent: boolean): Promise<string | null> =>
  new Promise((resolve) => {
    const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
    const reader = createInterface({ input: io.stdin, output: silent ? mute : io.stderr, terminal: true, historySize: 0 });
    const cancel = () => finish(null);
    const finish = (answer: string | null) => {
      reader.off('close', cancel);
      io.interrupted.removeEventListener('abort', cancel);
      reader.close();
      if (silent || answer === null) io.stderr.write('\n');
      resolve(answer);
    };
    // In raw mode, Ctrl-C is a key that readline reports as SIGINT; Ctrl-D closes the input.
    reader.once('SIGINT', cancel);
    reader.once('close', cancel);
    io.interrupted.addEventListener('abort', cancel);
    reader.question(silent ? '' : question, (line) => finish(line.trim()));
    if (silent) io.stderr.write(question);
  });

/** Prompts the user. An empty answer returns the preset; null if the user cancels with Ctrl-C or Ctrl-D. */
export const ask = async (io: Io, output: Output, label: string, preset: string | null): Promise<string | null> => {
  const question = `${output.err().title(label)}${preset === null ? '' : output.err().dim(` (${preset})`)}: `;
  const answer = await prompt(io, question, false);
  return answer === '' ? preset : answer;
};

/** Prompts the user without echoing the input. */
export const askSecret = async (io: Io, output: Output, label: string): Promise<string | null> =>
  (await prompt(io, `${output.err().title(label)} ${output.err().dim('(not shown)')}: `, true)) || null;

/** The first line of piped input; null if it is empty. */
export const firstLine = async (io: Io): Promise<string | null> => {
  for await (const [line] of linesOf(io.stdin)) return line?.text?.trim() || null;
  return null;
};
