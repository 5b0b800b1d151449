import type { Lookup } from '../database/lookup.ts';

/** What the queries of read models need beside the database. */
export type QueryDeps = {
  lookUp: Lookup;
  /** Opens an envelope that was kept as it stood in an event of that owner, type and field; ERASED when its key is gone. */
  open: (owner: 'customer' | 'integrator', id: string, type: string, field: string, sealed: string) => Promise<string>;
  now: () => Date;
};
