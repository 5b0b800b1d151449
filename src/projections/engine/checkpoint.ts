import { LAST_EVENT_COLUMNS, type LastEventRow, lastEventOf, lastEventRow } from '../../database/lastEvent.ts';
import type { LastEvent, Undecodable } from '../../eventstore/port.ts';
import type { RecordedEvent } from './recordedEvent.ts';
import type { DatabaseSession } from './session.ts';

/** How far a build has come: it lives in the schema of its rows and changes in their transactions. */
export type ProjectionCheckpoint = Readonly<{
  version: number;
  /** All events up to here are applied. */
  position: bigint | null;
  /** Identity of the event store. */
  store: string | null;
  /** The newest event that was considered, which detects a store that was rolled back. */
  last: LastEvent | null;
  /** Number of applied events. */
  events: number;
  /** Increased by each writer other than the runner, which then starts again from the stored checkpoint. */
  epoch: number;
}>;

/** Another writer has moved the checkpoint: the batch must not be written. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

type Row = LastEventRow & {
  version: number;
  position: string | null;
  store: string | null;
  events: number;
  epoch: number;
  parked: string[];
};

const selected = (schema: string): string => `select version, position::text, store, ${LAST_EVENT_COLUMNS}, events, epoch,
  (select coalesce(json_agg(distinct stream), '[]') from ${schema}.parked) as parked from ${schema}.checkpoint`;

const checkpointOf = (row: Row | undefined, schema: string): ProjectionCheckpoint => {
  if (!row) throw new Error(`${schema}.checkpoint has no row`);
  const { version, position, store, events, epoch } = row;
  return {
    version,
    position: position === null ? null : BigInt(position),
    store,
    last: lastEventOf(row),
    events,
    epoch,
  };
};

export const readCheckpoint = async (session: DatabaseSession, schema: string): Promise<ProjectionCheckpoint> => {
  const [row] = await session.execute<Row>(selected(schema));
  return checkpointOf(row, schema);
};

/** Begins a transaction that locks the checkpoint. `parked` are the parked streams. */
export const beginLocked = async (
  session: DatabaseSession,
  schema: string,
): Promise<{ checkpoint: ProjectionCheckpoint; parked: Set<string> }> => {
  const [row] = await session.execute<Row>(`begin; ${selected(schema)} for update`);
  return { checkpoint: checkpointOf(row, schema), parked: new Set(row?.parked) };
};

/** Begins a transaction to write from `expected` on. Throws `Superseded` when the checkpoint is no longer that. */
export const beginFrom = async (session: DatabaseSession, schema: string, expected: ProjectionCheckpoint): Promise<Set<string>> => {
  const { checkpoint, parked } = await beginLocked(session, schema);
  const { version, position, epoch } = checkpoint;
  if (version !== expected.version || position !== expected.position || epoch !== expected.epoch) {
    throw new Superseded(`${schema} was at ${expected.position} of version ${expected.version}, now at ${position} of ${version}`);
  }
  return parked;
};

const text = (session: DatabaseSession, value: bigint | string | null): string =>
  value === null ? 'null' : session.literal(String(value));

const assigned = (session: DatabaseSession, columns: Readonly<Record<string, string | null>>): string =>
  Object.entries(columns)
    .map(([column, value]) => `${column} = ${text(session, value)}`)
    .join(', ');

/** The statement that moves the checkpoint, to be sent with what else ends the transaction. */
export const advancing = (
  session: DatabaseSession,
  schema: string,
  to: ProjectionCheckpoint,
  { lagMs, node }: { lagMs: number; node: string },
): string =>
  `update ${schema}.checkpoint set version = ${to.version}, position = ${text(session, to.position)}, store = ${text(session, to.store)},
    ${assigned(session, lastEventRow(to.last))},
    events = ${to.events}, epoch = ${to.epoch}, lag_ms = ${Math.round(lagMs)}, node = ${session.literal(node)}, heartbeat_at = now()`;

/** Stores the heartbeat and the progress of `node` by one statement. Throws `Superseded` if the checkpoint is no longer `from`. */
export const touch = async (
  session: DatabaseSession,
  schema: string,
  { version, position, epoch }: ProjectionCheckpoint,
  { looked, lagMs, node }: { looked: bigint | null; lagMs: number; node: string },
): Promise<void> => {
  const moved = await session.query(
    `update ${schema}.checkpoint set position = $1::int8, lag_ms = $2, node = $3, heartbeat_at = now()
     where version = $4 and position is not distinct from $5::int8 and epoch = $6 returning version`,
    [looked, Math.round(lagMs), node, version, position, epoch],
  );
  if (moved.length === 0) throw new Superseded(`${schema} is no longer at ${position} of version ${version}`);
};

/** A parked event. `reason` is its error, or the event that it waits for. */
export type ParkedEvent = {
  stream: string;
  revision: string;
  position: string;
  event_id: string;
  type: string;
  reason: string;
  at: string | null;
};

export const parkedEvent = (recorded: RecordedEvent, reason: string): ParkedEvent => ({
  stream: recorded.stream,
  revision: String(recorded.revision),
  position: String(recorded.position),
  event_id: recorded.id,
  type: recorded.event.type,
  reason,
  at: recorded.at,
});

export const parkedUndecodable = ({ stream, revision, position, id, type, reason }: Undecodable): ParkedEvent => ({
  stream,
  revision: String(revision),
  position: String(position),
  event_id: id,
  type,
  reason,
  at: null,
});

/** Stores parked events; one that is stored already gets the new reason. */
export const park = async (session: DatabaseSession, schema: string, events: readonly ParkedEvent[]): Promise<void> => {
  if (events.length === 0) return;
  await session.query(
    `insert into ${schema}.parked (stream, revision, position, event_id, type, reason, at)
     select stream, revision, position, event_id, type, reason, at
     from json_to_recordset($1::json)
       as r(stream text, revision int8, position int8, event_id text, type text, reason text, at timestamptz)
     on conflict (stream, revision) do update set reason = excluded.reason`,
    [JSON.stringify(events)],
  );
};
