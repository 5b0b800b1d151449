import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from './log.ts';
import { type EventStoreOptions, startEventStore } from './server.ts';
import { CLOSE, type WorkerMessage } from './workerMessage.ts';

/** Runs the event store in a worker thread, so that replays do not delay HTTP requests. Started by `startEventStoreWorker`. */
const port = parentPort;
if (!port) throw new Error('This is the thread of the event store; it is started by startEventStoreWorker');

const post = (message: WorkerMessage): void => port.postMessage(message);
const options: Omit<EventStoreOptions, 'log'> = workerData;

try {
  const server = await startEventStore({ ...options, log: (level, line) => post({ kind: 'log', level, line }) });
  port.on('message', (message: unknown) => {
    if (message !== CLOSE) return;
    void server.close().finally(() => port.close());
  });
  const { connectionString, networkConnectionString } = server;
  post({ kind: 'started', connectionString, networkConnectionString });
} catch (error) {
  post({ kind: 'failed', reason: reasonOf(error) });
  port.close();
}
