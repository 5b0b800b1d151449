import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a process with a Fastify server that parses JSON bodies and answers 202: the baseline for HTTP on this machine. */
export const startBareFastify = async (): Promise<{ url: string; pid: number; stop: () => Promise<void> }> => {
  const child = fork(new URL('./bareFastifyProcess.js', import.meta.url));
  process.once('exit', () => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};
