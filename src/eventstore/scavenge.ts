import { AccessDeniedError, convertToCommandError, type EventStoreDBClient, START } from '@eventstore/db-client';
import operations from '@eventstore/db-client/generated/operations_grpc_pb.js';
import messages, { type ScavengeResp } from '@eventstore/db-client/generated/operations_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { closeClient } from './client.ts';
import { clientInternals } from './clientInternals.ts';
import { clientOf } from './connect.ts';
import { type Fields, isFields } from './jsonFields.ts';
import { EventStoreUnavailable } from './port.ts';

/** The result of a scavenge. `eventsRemoved` is null for EventStoreDB, which does not count them. */
export type ScavengeOutcome = Readonly<{
  id: string;
  result: 'success' | 'stopped' | 'errored';
  error: string | null;
  eventsRemoved: number | null;
  bytesSaved: number;
}>;

/** The stream with the events of a scavenge. */
const streamOf = (id: string): string => `$scavenges-${id}`;

const RESULTS: Readonly<Record<string, ScavengeOutcome['result']>> = { Success: 'success', Stopped: 'stopped' };

const outcomeOf = (id: string, data: unknown): ScavengeOutcome => {
  const { result, error, eventsRemoved, spaceSaved }: Fields = isFields(data) ? data : {};
  return {
    id,
    result: RESULTS[String(result)] ?? 'errored',
    error: typeof error === 'string' && error !== '' ? error : null,
    eventsRemoved: typeof eventsRemoved === 'number' ? eventsRemoved : null,
    bytesSaved: typeof spaceSaved === 'number' ? spaceSaved : 0,
  };
};

type Operations = InstanceType<typeof operations.OperationsClient>;
type Call = (
  service: Operations,
  args: [Metadata, CallOptions],
  reply: (error: Error | null, response: ScavengeResp) => void,
) => unknown;

/** Calls an operation that the client has no method for. */
const operate = (client: EventStoreDBClient, name: string, call: Call): Promise<ScavengeResp> => {
  const internals = clientInternals(client);
  if (!internals)
    throw new Error('This version of @eventstore/db-client cannot start a scavenge. Use the admin UI of EventStoreDB.');
  const { execute, callArguments } = internals;
  const args = callArguments({});
  return execute(
    operations.OperationsClient,
    name,
    (service) =>
      new Promise((resolve, reject) => {
        call(service, args, (error, response) => (error ? reject(error) : resolve(response)));
      }),
  );
};

const start = (client: EventStoreDBClient): Promise<ScavengeResp> => {
  const request = new messages.StartScavengeReq().setOptions(new messages.StartScavengeReq.Options().setThreadCount(1));
  return operate(client, 'startScavenge', (service, args, reply) => service.startScavenge(request, ...args, reply));
};

/** Rethrows the error of a user without the right as one sentence. */
const refused = (error: unknown): never => {
  if (!(error instanceof Error) || !(convertToCommandError(error) instanceof AccessDeniedError)) throw error;
  const text = 'The user of EVENTSTORE_URL may not scavenge. Add it to the group $ops, or use the login of an operator.';
  throw new EventStoreUnavailable(text, { cause: error, outage: 'access_denied' });
};

const stop = (client: EventStoreDBClient, id: string): Promise<ScavengeResp> => {
  const request = new messages.StopScavengeReq().setOptions(new messages.StopScavengeReq.Options().setScavengeId(id));
  return operate(client, 'stopScavenge', (service, args, reply) => service.stopScavenge(request, ...args, reply));
};

/**
 * Runs a scavenge of the event store at `url`, or joins the running one, and waits for its end. Aborting `signal` stops it.
 * EventStoreDB requires a user with the operator role in `url`. Throws `EventStoreUnavailable` if the user
 * lacks that role, otherwise the client's error.
 */
export const scavengeStore = async (url: string, signal: AbortSignal): Promise<ScavengeOutcome> => {
  const client = clientOf(url);
  try {
    const id = (await start(client).catch(refused)).getScavengeId();
    // Fails if the scavenge has ended.
    const stopping = (): void => void stop(client, id).catch(() => undefined);
    signal.addEventListener('abort', stopping);
    if (signal.aborted) stopping();
    try {
      for await (const { event } of client.subscribeToStream(streamOf(id), { fromRevision: START })) {
        if (event?.type === '$scavengeCompleted') return outcomeOf(id, event.data);
      }
      throw new Error('The event store ended before the scavenge did');
    } finally {
      signal.removeEventListener('abort', stopping);
    }
  } finally {
    await closeClient(client);
  }
};
