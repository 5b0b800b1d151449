import { readConfig } from './config.ts';
import { ConfigError } from './configError.ts';
import { readableError } from './readableError.ts';
import { startServer } from './server.ts';

const WRONG_CONFIGURATION = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Ends the process with an error message for the operator; only a bug prints its stack. */
const fail = (error: unknown): never => {
  process.stderr.write(`${readableError(error)}\n`);
  process.exit(error instanceof ConfigError ? WRONG_CONFIGURATION : 1);
};

const run = async (): Promise<void> => {
  const startedAt = performance.now();
  const config = readConfig(process.env);
  const server = await startServer(config, { say, onFatal: (reason) => fail(new Error(reason)) });
  if (server.url) say(`Ready on ${server.url} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Press Ctrl-C to stop.`);
  else say('Ready. Press Ctrl-C to stop.');

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1); // a second Ctrl-C means: now
    stopping = true;
    server.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

run().catch(fail);
