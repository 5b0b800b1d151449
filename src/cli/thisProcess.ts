import { EXIT } from './exit.ts';
import { type Io, systemClock } from './io.ts';

/** The `Io` of the current process. The first SIGINT, SIGTERM or SIGHUP interrupts the command; the second one exits. */
export const openThisProcess = (): Io => {
  const { stdin, stdout, stderr, env } = process;
  // Node's warnings are for developers, not for users of a command.
  if (!env.LATCHKEY_DEBUG) process.removeAllListeners('warning');

  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(EXIT.failed);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

  // The reader of a pipe can close it early, as `head` does.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
    });
  }
  return { stdin, stdout, stderr, env, cwd: process.cwd(), now: systemClock, interrupted: interrupted.signal };
};
