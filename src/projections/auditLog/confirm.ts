import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { LAST_EVENT_COLUMNS, type LastEventRow, lastEventOf } from '../../database/lastEvent.ts';
import type { EventStore } from '../../eventstore/port.ts';
import { checkStore } from '../engine/storeCheck.ts';

type Row = LastEventRow & { position: string | null; store: string | null };

/** Why the audit log waits until an operator confirms the event store; null if it does not wait. */
export const unconfirmedLog = async (db: Database, events: EventStore): Promise<string | null> => {
  const { rows } = await sql<Row>`
    select position::text, store, ${sql.raw(LAST_EVENT_COLUMNS)} from audit.log`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const position = row.position === null ? null : BigInt(row.position);
  return (await checkStore(events, { position, store: row.store, last: lastEventOf(row) })).differs;
};

/** Confirms the event store: the node that writes the audit log finds its leaves there, and adds the events that it lacks. */
export const confirmLog = async (db: Database): Promise<void> => {
  await db.updateTable('audit.log').set({ position: null }).execute();
};
