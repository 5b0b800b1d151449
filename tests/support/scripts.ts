import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('run.js', import.meta.url));

export type Script = {
  pid: number;
  /** The next line it writes that the pattern matches; rejects, with all it wrote, when it ends before. */
  line: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends the signal and waits for its end. */
  end: (signal: NodeJS.Signals) => Promise<void>;
};

/** Runs a TypeScript file as a process (and process group) of its own, so that a test can kill it. Standard output and error are read as one. */
export const startScript = (file: URL, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Script => {
  const child = spawn(process.execPath, [runner, fileURLToPath(file), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const written: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let ended = false;
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
    ended = true;
    wake();
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      written.push(line);
      wake();
    });
  }
  let read = 0;
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        while (read < written.length) {
          const found = pattern.exec(written[read++] ?? '');
          if (!found) continue;
          waiting.delete(look);
          return resolve(found);
        }
        if (ended) reject(new Error(`${fileURLToPath(file)} ended without ${pattern}:\n${written.join('\n')}`));
      };
      waiting.add(look);
      look();
    });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return { pid: child.pid ?? 0, line, end };
};
