import { STREAM_CATEGORIES } from '../domain/events.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import { confirmStore, unconfirmedPolicies } from '../policies/engine/checkpoint.ts';
import { confirmLog, unconfirmedLog } from '../projections/auditLog/confirm.ts';
import type { ProjectionGroup } from '../projections/engine/projection.ts';
import type { BuildDeps } from '../projections/engine/rebuild.ts';
import { rebuild } from '../projections/engine/rebuild.ts';
import { retryParked } from '../projections/engine/retry.ts';
import { verify } from '../projections/engine/verify.ts';
import type { Operator } from './operator.ts';

/** The output of a command: steps go to standard error, results to standard output. */
export type Print = Readonly<{
  step: (text: string) => void;
  /** Shows the number of completed events on a terminal. */
  progress: (events: number, note: string) => void;
  result: (value: object, text: string) => void;
}>;

const buildDeps = (operator: Operator, group: ProjectionGroup, print: Print, signal: AbortSignal): BuildDeps => {
  const { ownerUrl, events, node, now } = operator.product;
  return {
    ownerUrl,
    events,
    node,
    now,
    signal,
    onProgress: ({ events: done, position }) => print.progress(done, `events into ${group.name}, at position ${position ?? 0}`),
    onParked: ({ stream, reason }) => print.step(`${group.name}: ${stream} is stalled: ${reason}`),
  };
};

/** Fields that an export never contains. */
const SECRETS: readonly string[] = ['password', 'apiToken', 'passwordHash'];

const withoutSecrets = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, SECRETS.includes(field) && value !== null ? '[sealed]' : value]),
  );

/** Rebuilds read models next to the active ones and swaps them. Resolves to false if another node is rebuilding them. */
export const rebuildAll = async (
  operator: Operator,
  groups: readonly ProjectionGroup[],
  print: Print,
  signal: AbortSignal,
): Promise<boolean> => {
  let all = true;
  for (const group of groups) {
    const swapped = await rebuild(group, buildDeps(operator, group, print, signal), { afresh: true });
    signal.throwIfAborted();
    print.result(
      { projection: group.name, rebuilt: swapped },
      swapped ? `${group.name}: rebuilt and active` : `${group.name}: not rebuilt, because another node is rebuilding it`,
    );
    all &&= swapped;
  }
  return all;
};

/** Rebuilds into a separate schema and compares every row with the active one. Resolves to false if any row differs. */
export const verifyAll = async (
  operator: Operator,
  groups: readonly ProjectionGroup[],
  print: Print,
  signal: AbortSignal,
): Promise<boolean> => {
  let equal = true;
  for (const group of groups) {
    const { position, tables, differences } = await verify(group, buildDeps(operator, group, print, signal));
    signal.throwIfAborted();
    const described = differences.map(
      ({ table, onlyServing, onlyRebuilt }) =>
        `${table} (${onlyServing} rows only in the active one, ${onlyRebuilt} only in the rebuilt one)`,
    );
    print.result(
      { projection: group.name, position: position === null ? null : String(position), tables, differences },
      differences.length === 0
        ? `${group.name}: no differences in ${tables} tables`
        : `${group.name}: differs in ${described.join(', ')}; run latchkey-admin rebuild ${group.name}`,
    );
    equal &&= differences.length === 0;
  }
  return equal;
};

/** Retries stalled streams. Resolves to false if any stream is still stalled. */
export const retryAll = async (operator: Operator, groups: readonly ProjectionGroup[], print: Print): Promise<boolean> => {
  let clear = true;
  for (const group of groups) {
    const { applied, stillParked } = await retryParked(group, operator.product);
    for (const { stream, reason } of stillParked) print.step(`${group.name}: ${stream} is still stalled: ${reason}`);
    print.result(
      { projection: group.name, applied, stillParked },
      `${group.name}: ${applied} events projected, ${stillParked.length} streams still stalled`,
    );
    clear &&= stillParked.length === 0;
  }
  return clear;
};

/** Writes each event as a line of JSON, decrypted except for passwords and tokens. Resolves to the number of events. */
export const exportEvents = async (
  operator: Operator,
  print: Print,
  signal: AbortSignal,
  write: (line: string) => Promise<void>,
): Promise<number> => {
  const { events } = operator.product;
  let count = 0;
  const subscription = events.subscribe({ after: null, categories: STREAM_CATEGORIES });
  try {
    for await (const item of subscription) {
      signal.throwIfAborted();
      if (item.kind === 'caughtUp') break;
      if (item.kind === 'checkpoint') continue;
      count += 1;
      print.progress(count, 'events printed');
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
export const scavenge = async (operator: Pick<Operator, 'scavenge'>, print: Print, signal: AbortSignal): Promise<boolean> => {
  const { result, error, eventsRemoved, bytesSaved } = await operator.scavenge(signal);
  const events = eventsRemoved === null ? '' : `${eventsRemoved} events, `;
  // EventStoreDB counts its own data about the scavenge, which can be more than what was removed.
  const removed = bytesSaved >= 0 ? `${events}${bytesSaved} bytes removed` : `${events}0 bytes removed, ${-bytesSaved} bytes added`;
  const texts = {
    success: `event store: ${removed}`,
    stopped: `event store: stopped before the end, ${removed}`,
    errored: `event store: ${error ?? 'the scavenge failed'}`,
  } as const;
  print.result({ result, error, eventsRemoved, bytesSaved }, texts[result]);
  return result === 'success';
};

const DIFFERENCES = {
  different: 'followed another event store',
  rolled_back: 'has handled events that the event store does not have',
} as const;

/**
 * Confirms the event store for the policies and the audit log that wait for it; lists them if `answer` is undefined. Resolves to false if
 * any still waits.
 */
export const confirmEventStore = async (
  { product: { db, events } }: Operator,
  print: Print,
  answer: 'same' | 'different' | undefined,
): Promise<boolean> => {
  const waiting = await unconfirmedPolicies(db, events);
  for (const { policy, difference, notes } of waiting) print.step(`${policy}: ${DIFFERENCES[difference]}; it has ${notes} notes`);
  const confirmed = answer ? await confirmStore(db, events, waiting, answer) : [];
  const logDiffers = await unconfirmedLog(db, events);
  if (logDiffers !== null) {
    print.step(answer ? 'auditLog: confirmed; it finds its events in the store' : `auditLog: ${logDiffers}`);
    if (answer) await confirmLog(db);
  }
  const remaining = waiting.length - confirmed.length;
  const next = answer ? 'Confirm with "different", or restore a newer backup.' : 'Confirm with "same" or "different".';
  print.result(
    { confirmed, waiting: remaining },
    `${confirmed.length} policies confirmed, ${remaining} wait${remaining > 0 ? `. ${next}` : ''}`,
  );
  return remaining === 0 && (logDiffers === null || answer !== undefined);
};

/** Allows sign-in with the admin key, or with the master license key of an integrator. Resolves to false if it does not exist. */
export const allowKeySignIn = async (
  { product: { commands, now, newId } }: Operator,
  print: Print,
  integratorId: IntegratorId | undefined,
): Promise<boolean> => {
  if (integratorId !== undefined) {
    const { status } = (await commands.integrators.load(integratorId)).state;
    if (status === 'unregistered' || status === 'deleted') {
      print.step('There is no such service integrator');
      return false;
    }
  }
  const teamId = teamIdOf(integratorId === undefined ? { kind: 'administration' } : { kind: 'integrator', integratorId });
  const { secondFactorRequired } = (await commands.teams.load(teamId)).state.policy;
  const commandId = newId();
  const outcome = await commands.teams.handle({
    type: 'ChangeSignInPolicy',
    data: { teamId, keySignIn: 'allowed', secondFactorRequired },
    meta: {
      actor: { kind: 'system', id: 'latchkey-admin' },
      commandId,
      correlationId: commandId,
      causationId: null,
      at: new Date(now()).toISOString(),
    },
  });
  if (!outcome.accepted) throw new Error(`Sign-in with the key could not be allowed: ${outcome.refusal}`);
  const changed = outcome.position !== null;
  print.result({ changed }, changed ? 'Sign-in with the key is allowed again' : 'Sign-in with the key was allowed already');
  return true;
};
