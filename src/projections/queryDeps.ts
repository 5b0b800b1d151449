import type { Lookup } from '../database/lookup.ts';

/** What the queries of read models need beside the database. */
export type QueryDeps = {
  lookUp: Lookup;
  /** Opens an envelope from an event of that owner, type and field; ERASED if its data key was destroyed. */
  open: (owner: 'customer' | 'integrator', id: string, type: string, field: string, sealed: string) => Promise<string>;
  now: () => Date;
};
