import { EXIT } from './exit.ts';
import { run } from './run.ts';

const interrupted = new AbortController();
const interrupt = () => {
  if (interrupted.signal.aborted) process.exit(EXIT.failed); // Asked twice: now it is urgent.
  interrupted.abort();
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
process.on('SIGHUP', interrupt);

// The reader of a pipe may have had enough, as `head` has.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
  });
}

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  interrupted: interrupted.signal,
});
