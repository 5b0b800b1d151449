import { randomUUID } from 'node:crypto';

/** The administrator's key of every server that a test starts. */
export const ADMIN_KEY = 'the-admin-key-of-the-tests';

/** What these servers derive their keys from. */
export const MASTER_SECRET = Buffer.alloc(32, 7).toString('base64');

const RUN = randomUUID();

/** An idempotency key of this run. Ids are derived from keys, and a given event store has those of earlier runs. */
export const ownKey = (key: string): string => `${key}-${RUN}`;
