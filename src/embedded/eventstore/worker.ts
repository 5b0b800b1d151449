import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from './log.ts';
import { type EventStoreOptions, startEventStore } from './server.ts';
import { CLOSE, type WorkerMessage } from './workerMessage.ts';

/** The event store in a thread of its own, so that replays do not hold up requests. Started by `startEventStoreWorker`. */
const port = parentPort;
if (!port) throw new Error('This is the thread of the event store; it is started by startEventStoreWorker');

const say = (message: WorkerMessage): void => port.postMessage(message);
const options: Omit<EventStoreOptions, 'log'> = workerData;

try {
  const server = await startEventStore({ ...options, log: (level, line) => say({ kind: 'log', level, line }) });
  port.on('message', (message: unknown) => {
    if (message !== CLOSE) return;
    void server.close().finally(() => port.close());
  });
  say({ kind: 'started', connectionString: server.connectionString });
} catch (error) {
  say({ kind: 'failed', reason: reasonOf(error) });
  port.close();
}
