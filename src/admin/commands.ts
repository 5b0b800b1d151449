import type { StreamCategory } from '../domain/events.ts';
import type { Plan } from '../projections/engine/projection.ts';
import type { BuildDeps } from '../projections/engine/rebuild.ts';
import { rebuild } from '../projections/engine/rebuild.ts';
import { retryParked } from '../projections/engine/retry.ts';
import { verify } from '../projections/engine/verify.ts';
import type { Operator } from './operator.ts';

/** The output of a command: steps go to standard error, results to standard output. */
export type Tell = Readonly<{
  step: (text: string) => void;
  /** Shows the number of completed events on a terminal. */
  progress: (events: number, note: string) => void;
  result: (value: object, text: string) => void;
}>;

const CATEGORIES: readonly StreamCategory[] = [
  'customer',
  'integrator',
  'themes',
  'credential',
  'userActivity',
  'apiCalls',
  'adminActivity',
  'signIns',
];

const buildDeps = (operator: Operator, plan: Plan, tell: Tell, signal: AbortSignal): BuildDeps => {
  const { ownerUrl, events, node, now } = operator.product;
  return {
    ownerUrl,
    events,
    node,
    now,
    signal,
    onProgress: ({ events: done, position }) => tell.progress(done, `events into ${plan.name}, at position ${position ?? 0}`),
    onParked: ({ stream, reason }) => tell.step(`${plan.name}: ${stream} is stalled: ${reason}`),
  };
};

/** Fields that an export never contains. */
const SECRETS: readonly string[] = ['password', 'apiToken', 'passwordHash'];

const withoutSecrets = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, SECRETS.includes(field) && value !== null ? '[sealed]' : value]),
  );

/** Rebuilds read models next to the active ones and swaps them. Resolves to false if another node is rebuilding them. */
export const rebuildAll = async (operator: Operator, plans: readonly Plan[], tell: Tell, signal: AbortSignal): Promise<boolean> => {
  let all = true;
  for (const plan of plans) {
    const swapped = await rebuild(plan, buildDeps(operator, plan, tell, signal), { afresh: true });
    signal.throwIfAborted();
    tell.result(
      { projection: plan.name, rebuilt: swapped },
      swapped ? `${plan.name}: rebuilt and active` : `${plan.name}: not rebuilt, because another node is rebuilding it`,
    );
    all &&= swapped;
  }
  return all;
};

/** Rebuilds into a separate schema and compares every row with the active one. Resolves to false if any row differs. */
export const verifyAll = async (operator: Operator, plans: readonly Plan[], tell: Tell, signal: AbortSignal): Promise<boolean> => {
  let equal = true;
  for (const plan of plans) {
    const { position, tables, differences } = await verify(plan, buildDeps(operator, plan, tell, signal));
    signal.throwIfAborted();
    const told = differences.map(
      ({ table, onlyServing, onlyRebuilt }) =>
        `${table} (${onlyServing} rows only in the active one, ${onlyRebuilt} only in the rebuilt one)`,
    );
    tell.result(
      { projection: plan.name, position: position === null ? null : String(position), tables, differences },
      differences.length === 0
        ? `${plan.name}: no differences in ${tables} tables`
        : `${plan.name}: differs in ${told.join(', ')}; run latchkey-admin rebuild ${plan.name}`,
    );
    equal &&= differences.length === 0;
  }
  return equal;
};

/** Retries stalled streams. Resolves to false if any stream is still stalled. */
export const retryAll = async (operator: Operator, plans: readonly Plan[], tell: Tell): Promise<boolean> => {
  let clear = true;
  for (const plan of plans) {
    const { applied, stillParked } = await retryParked(plan, operator.product);
    for (const { stream, reason } of stillParked) tell.step(`${plan.name}: ${stream} is still stalled: ${reason}`);
    tell.result(
      { projection: plan.name, applied, stillParked },
      `${plan.name}: ${applied} events projected, ${stillParked.length} streams still stalled`,
    );
    clear &&= stillParked.length === 0;
  }
  return clear;
};

/** Writes each event as a line of JSON, decrypted except for passwords and tokens. Resolves to the number of events. */
export const exportEvents = async (
  operator: Operator,
  tell: Tell,
  signal: AbortSignal,
  write: (line: string) => Promise<void>,
): Promise<number> => {
  const { events } = operator.product;
  let count = 0;
  const subscription = events.subscribe({ after: null, categories: CATEGORIES });
  try {
    for await (const item of subscription) {
      signal.throwIfAborted();
      if (item.kind === 'caughtUp') break;
      if (item.kind === 'checkpoint') continue;
      count += 1;
      tell.progress(count, 'events printed');
      if (item.kind === 'undecodable') {
        await write(
          JSON.stringify({
            ...item.undecodable,
            revision: String(item.undecodable.revision),
            position: String(item.undecodable.position),
          }),
        );
        continue;
      }
      const { id, stream, revision, position, event, meta } = item.recorded;
      await write(
        JSON.stringify({
          position: String(position),
          stream,
          revision: String(revision),
          id,
          type: event.type,
          data: withoutSecrets(event.data),
          meta,
        }),
      );
    }
  } finally {
    await subscription.close();
  }
  return count;
};

/** Scavenges the event store, which permanently removes unreadable events. Resolves to false if it did not complete. */
export const scavenge = async (operator: Operator, tell: Tell, signal: AbortSignal): Promise<boolean> => {
  const { result, error, eventsRemoved, bytesSaved } = await operator.scavenge(signal);
  const removed = `${eventsRemoved === null ? '' : `${eventsRemoved} events, `}${bytesSaved} bytes removed`;
  const texts = {
    success: `event store: ${removed}`,
    stopped: `event store: stopped before the end, ${removed}`,
    errored: `event store: ${error ?? 'the scavenge failed'}`,
  } as const;
  tell.result({ result, error, eventsRemoved, bytesSaved }, texts[result]);
  return result === 'success';
};
