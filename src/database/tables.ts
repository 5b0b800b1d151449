import type { IdempotencyTables } from '../http/requests/idempotencyTables.ts';
import type { ConnectionTables } from '../live/connectionTables.ts';
import type { PolicyTables } from '../policies/engine/tables.ts';
import type { ReadTables } from '../projections/tables.ts';
import type { AdminKeyTables } from '../security/adminKeyTables.ts';
import type { SessionTables } from '../security/sessionTables.ts';
import type { VaultTables } from '../security/tables.ts';

/** Every table of the product, by `schema.name`; each room declares its own. */
export type Tables = VaultTables &
  PolicyTables &
  SessionTables &
  AdminKeyTables &
  IdempotencyTables &
  ConnectionTables &
  ReadTables;
