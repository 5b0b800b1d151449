import type { Database } from '../database/database.ts';
import type { Lookup } from '../database/lookup.ts';
import type { ApiCallsRecorded } from '../domain/apiCalls/events.ts';
import type { Actor } from '../domain/event.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import type { Recorded } from '../eventstore/port.ts';
import type { ConcurrencyLimit } from '../flow/concurrency.ts';

/**
 * Reads `count` events of a customer's stream of calls of a day (yyyy-mm-dd), from a revision on. Fewer where the stream ends, and none
 * after its deletion.
 */
export type ReadCalls = (customerId: CustomerId, day: string, from: number, count: number) => Promise<Recorded<ApiCallsRecorded>[]>;

/**
 * Where a search of a service integrator's list finds ids. Below row-level security PostgreSQL cannot use the indexes of texts, so `db`
 * reads as the system and each search is limited to `integratorId`, whatever its filter says. Rows are read as the tenant.
 */
type TenantSearch = Readonly<{ db: Database; integratorId: IntegratorId }>;

/** Whether recorded calls after a position fulfil a condition; null if that takes longer than `timeoutMs`. */
type HasCallsAfter = (
  after: bigint | null,
  fulfils: (calls: ApiCallsRecorded['data']) => boolean,
  timeoutMs: number,
) => Promise<boolean | null>;

/** What the queries of read models need beside the database. */
export type QueryDeps = {
  lookUp: Lookup;
  /** Missing for the system, and for a customer, whose lists are short. */
  tenantSearch?: TenantSearch | undefined;
  /** Opens an envelope from an event of that owner, type and field; ERASED if its data key was destroyed. */
  open: (owner: 'customer' | 'integrator', id: string, type: string, field: string, sealed: string) => Promise<string>;
  /** Opens the address of an actor from the envelope of an event of that type and time (ISO-8601); ERASED like `open`. */
  openAddress: (actor: Actor, at: string, type: string, sealed: string) => Promise<string>;
  readCalls: ReadCalls;
  hasCallsAfter: HasCallsAfter;
  /** Counts of single calls, which read many events: few at a time on a node. Rejects with `UsageBusy`. */
  callCounts: Pick<ConcurrencyLimit, 'run'>;
  now: () => Date;
};
