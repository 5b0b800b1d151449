import { Worker } from 'node:worker_threads';
import { reasonOf } from './log.ts';
import { type EventStoreOptions, type RunningEventStore, startEventStore } from './server.ts';
import { CLOSE, type WorkerMessage } from './workerMessage.ts';

export type EventStoreWorkerOptions = EventStoreOptions &
  Readonly<{
    /** Called once when the thread exits without `close`. Acknowledged events are not lost. */
    onExit: (reason: string) => void;
  }>;

/** After this timeout the thread is terminated, which loses no acknowledged event. */
const CLOSE_TIMEOUT_MS = 10_000;

// A worker thread needs compiled code, which does not exist when this runs from source, as in tests.
const IS_COMPILED = import.meta.url.endsWith('.js');

/** `startEventStore` in a worker thread. From source it runs in this thread, and `onExit` is never called. */
export const startEventStoreWorker = ({ onExit, log, ...options }: EventStoreWorkerOptions): Promise<RunningEventStore> => {
  if (!IS_COMPILED) return startEventStore({ ...options, log });
  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: options, name: 'event store' });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let closing = false;
  let failure: string | undefined;

  const close = async (): Promise<void> => {
    closing = true;
    worker.postMessage(CLOSE);
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };

  return new Promise((resolve, reject) => {
    let hasStarted = false;
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'log') log(message.level, message.line);
      else if (message.kind === 'failed') failure = message.reason;
      else {
        hasStarted = true;
        const { connectionString, networkConnectionString } = message;
        resolve({ connectionString, networkConnectionString, close });
      }
    });
    worker.on('error', (error) => {
      failure = reasonOf(error);
    });
    void ended.then(() => {
      const reason = failure ?? 'its thread exited';
      if (!hasStarted) reject(new Error(`The event store did not start: ${reason}`));
      else if (!closing) onExit(reason);
    });
  });
};
