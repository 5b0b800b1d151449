import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A Fastify in a process of its own that parses JSON bodies and answers 202: what HTTP alone costs on this machine. */
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
