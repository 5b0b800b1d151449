import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Tools' sockets held by processes of their own. */
export type Holders = {
  /** Seconds from the first until the last was welcomed. */
  seconds: number;
  /** Closes every socket; resolves once all of them are. */
  close: () => Promise<void>;
  /** Ends the processes without a word. */
  kill: () => void;
};

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

export const startProcess = (file: string, execArgv: readonly string[] = []): ChildProcess => {
  const child = fork(new URL(`./${file}`, import.meta.url), { execArgv: [...execArgv] });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
};

/** Opens a socket a token, from `processes` processes. Throws when one of them could not be opened. */
export const holdSockets = async (url: string, tokens: readonly string[], processes: number): Promise<Holders> => {
  const begun = performance.now();
  const each = Math.ceil(tokens.length / processes);
  const children = Array.from({ length: processes }, (_, index) => ({
    child: startProcess('socketsProcess.js'),
    own: tokens.slice(index * each, (index + 1) * each),
  }));
  await Promise.all(
    children.map(async ({ child, own }) => {
      const opened = once(child, 'message');
      child.send({ url, tokens: own });
      const [result] = await Promise.race([opened, once(child, 'exit')]);
      if (result !== own.length) throw new Error('Not all sockets could be opened');
    }),
  );
  return {
    seconds: (performance.now() - begun) / 1000,
    close: async () => {
      await Promise.all(
        children.map(async ({ child }) => {
          child.send('close');
          await once(child, 'exit');
        }),
      );
    },
    kill: () => {
      for (const { child } of children) child.kill('SIGKILL');
    },
  };
};
