import { Worker } from 'node:worker_threads';
import { reasonOf } from './log.ts';
import { type EventStoreOptions, type RunningEventStore, startEventStore } from './server.ts';
import { CLOSE, type WorkerMessage } from './workerMessage.ts';

export type EventStoreWorkerOptions = EventStoreOptions &
  Readonly<{
    /** Called once when the thread ends without having been closed; nothing that was acknowledged is lost by that. */
    onExit: (reason: string) => void;
  }>;

/** A thread that does not answer is ended all the same; a store can be closed at any moment without loss. */
const CLOSE_WITHIN_MS = 10_000;

// A thread loads what was compiled; from source, as in tests, there is nothing it could load.
const IS_COMPILED = import.meta.url.endsWith('.js');

/** `startEventStore` in a thread of its own. Run from source it runs in this thread, and `onExit` is never called. */
export const startEventStoreWorker = ({ onExit, log, ...options }: EventStoreWorkerOptions): Promise<RunningEventStore> => {
  if (!IS_COMPILED) return startEventStore({ ...options, log });
  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: options, name: 'event store' });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let closing = false;
  let failure: string | undefined;

  const close = async (): Promise<void> => {
    closing = true;
    worker.postMessage(CLOSE);
    const overdue = setTimeout(() => void worker.terminate(), CLOSE_WITHIN_MS);
    await ended;
    clearTimeout(overdue);
  };

  return new Promise((resolve, reject) => {
    let hasStarted = false;
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'log') log(message.level, message.line);
      else if (message.kind === 'failed') failure = message.reason;
      else {
        hasStarted = true;
        resolve({ connectionString: message.connectionString, close });
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
