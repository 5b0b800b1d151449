import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Child processes that keep sockets of tools open. */
export type SocketProcesses = {
  /** Seconds until the last socket received its welcome frame. */
  seconds: number;
  /** Closes every socket and resolves when all are closed. */
  close: () => Promise<void>;
  /** Kills the processes without closing the sockets. */
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

/** Opens a socket for each token from `processes` processes. Throws if one fails. */
export const openSockets = async (url: string, tokens: readonly string[], processes: number): Promise<SocketProcesses> => {
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
