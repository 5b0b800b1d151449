import type { IdempotencyTables } from '../http/idempotencyTables.ts';
import type { ConnectionTables } from '../http/live/connectionTables.ts';
import type { SessionTables } from '../security/sessionTables.ts';

/** Every table of the product, by `schema.name`; each room declares its own. */
export type Tables = SessionTables & IdempotencyTables & ConnectionTables;
