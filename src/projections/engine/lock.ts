import type { DatabaseSession } from './session.ts';

/**
 * Tries to become the one who writes a schema, as long as the session lives. A session that dies, with its node or alone, frees
 * the lock and can write no more: both end with the connection.
 */
export const tryLock = async (session: DatabaseSession, schema: string): Promise<boolean> => {
  const [row] = await session.query<{ locked: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as locked', [
    `latchkey projector of ${schema}`,
  ]);
  return row?.locked === true;
};
