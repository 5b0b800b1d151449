import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ApiTokenId, TeamId } from '../domain/ids.ts';
import { createCache } from '../flow/cache.ts';
import { clientAddressOf } from './clientNetworks.ts';

/** When a token was used last (ISO-8601 UTC) and from which address. */
type Use = Readonly<{ at: string; address: string | null }>;

/** The last uses of API tokens, which are written late, so that a request costs no write. */
export type ApiTokenUses = Readonly<{
  note: (tokenId: ApiTokenId, address: string) => void;
  /** The last uses of a tenant's tokens, by token. */
  of: (teamId: TeamId) => Promise<ReadonlyMap<ApiTokenId, Use>>;
  close: () => Promise<void>;
}>;

/** A use from the same address is written at most this often. */
const TOUCH_MS = 60_000;
const FLUSH_MS = 5_000;
const REMEMBERED = 20_000;

/** Deletes the uses of a deleted tenant's tokens, which contain addresses. */
export const forgetApiTokenUses = async (db: Database, teamId: TeamId): Promise<void> => {
  await db.deleteFrom('auth.api_token_use').where('team_id', '=', teamId).execute();
};

/** `now` is ms since 1970; `onError` gets what fails in the background. */
export const createApiTokenUses = ({
  db,
  now,
  onError,
}: {
  db: Database;
  now: () => number;
  onError: (error: unknown) => void;
}): ApiTokenUses => {
  const written = createCache<ApiTokenId, { at: number; from: string }>(REMEMBERED);
  const used = new Map<ApiTokenId, { at: number; from: string }>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const batch = [...used].sort(([one], [other]) => (one < other ? -1 : 1)); // one order on every node, against deadlocks
    used.clear();
    // Only for tokens that still exist: a late write must not bring back an address of a deleted tenant.
    await sql`
      insert into auth.api_token_use (token_id, team_id, used_at, address)
      select t.token_id, t.team_id, u.at, u.address
      from unnest(
        ${batch.map(([tokenId]) => tokenId)}::uuid[],
        ${batch.map(([, { at }]) => new Date(at))}::timestamptz[],
        ${batch.map(([, { from }]) => clientAddressOf(from))}::text[]
      ) as u (token_id, at, address)
      join read.api_token t on t.token_id = u.token_id
      on conflict (token_id) do update set used_at = excluded.used_at, address = excluded.address
      where auth.api_token_use.used_at <= excluded.used_at`.execute(db);
  };

  const flusher = setInterval(() => void flush().catch(onError), FLUSH_MS);
  flusher.unref();

  return {
    note: (tokenId, from) => {
      const at = now();
      const last = written.get(tokenId);
      if (last && last.from === from && at - last.at < TOUCH_MS) return;
      written.set(tokenId, { at, from });
      used.set(tokenId, { at, from });
    },
    of: async (teamId) => {
      await flush();
      const rows = await db
        .selectFrom('auth.api_token_use')
        .select(['token_id', 'used_at', 'address'])
        .where('team_id', '=', teamId)
        .execute();
      return new Map(rows.map((row) => [row.token_id, { at: row.used_at.toISOString(), address: row.address }]));
    },
    close: async () => {
      clearInterval(flusher);
      await flush();
    },
  };
};
