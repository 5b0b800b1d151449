import { EXIT } from './exit.ts';
import { type Io, systemClock } from './io.ts';

/** The process as a command works with it. Ctrl-C and a request to end interrupt the command, asked twice they end it. */
export const openThisProcess = (): Io => {
  const { stdin, stdout, stderr, env } = process;
  // Node's own warnings are for programmers, not for whoever types a command.
  if (!env.LATCHKEY_DEBUG) process.removeAllListeners('warning');

  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(EXIT.failed);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

  // The reader of a pipe may have had enough, as `head` has.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
    });
  }
  return { stdin, stdout, stderr, env, cwd: process.cwd(), now: systemClock, interrupted: interrupted.signal };
};
