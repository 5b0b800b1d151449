import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { EventStore } from '../../eventstore/port.ts';
import { checkStore } from '../engine/storeCheck.ts';

type Row = {
  position: string | null;
  store: string | null;
  last_stream: string | null;
  last_revision: string | null;
  last_event: string | null;
  last_position: string | null;
};

/** Why the audit log waits until an operator confirms the event store; null if it does not wait. */
export const unconfirmedLog = async (db: Database, events: EventStore): Promise<string | null> => {
  const { rows } = await sql<Row>`
    select position::text, store, last_stream, last_revision::text, last_event, last_position::text from audit.log`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { position, store, last_stream: stream, last_revision, last_event: id, last_position } = row;
  const last =
    stream !== null && last_revision !== null && id !== null && last_position !== null
      ? { stream, revision: BigInt(last_revision), id, position: BigInt(last_position) }
      : null;
  return (await checkStore(events, { position: position === null ? null : BigInt(position), store, last })).differs;
};

/** Confirms the event store: the node that writes the audit log finds its leaves there, and adds the events that it lacks. */
export const confirmLog = async (db: Database): Promise<void> => {
  await db.updateTable('audit.log').set({ position: null }).execute();
};
