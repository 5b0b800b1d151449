import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { NIL_UUID, type UserId } from '../domain/ids.ts';
import { KNOWN_LOCATION_DAYS, WRONG_CODES_NOTICED } from '../domain/limits.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';

/** A browser and address of a member. `occasion` is the same for sign-ins that are equally new: they cause one notice. */
type SignInLocation = Readonly<{ hash: string; isNew: boolean; occasion: string }>;

/** From where members signed in, and wrong codes after their right password. */
export type SignInLocations = Readonly<{
  /** The location of a sign-in. It is new if the member did not use it in the last 90 days; the first one of a member is not new. */
  find: (userId: UserId, browser: string | null, network: string) => Promise<SignInLocation>;
  /** Whether one of the members signed in there in the last 90 days. Takes as long for no members. */
  isKnown: (userIds: readonly UserId[], browser: string | null, network: string) => Promise<boolean>;
  /** Keeps that the member signed in there now. */
  remember: (userId: UserId, location: SignInLocation) => Promise<void>;
  /** Counts a wrong code; returns the start of the hour (ISO-8601 UTC) if the member is to be notified of the hour's wrong codes. */
  wrongCode: (userId: UserId) => Promise<string | null>;
  /** Deletes what is known of an erased member. */
  forget: (userId: UserId) => Promise<void>;
}>;

/** `pepper` keys the hashes of locations; `now` is ms since 1970. */
export const createSignInLocations = ({
  db,
  pepper,
  now,
}: {
  db: Database;
  pepper: Buffer;
  now: () => number;
}): SignInLocations => {
  const hashOf = (userId: string, browser: string | null, network: string): string =>
    createHmac('sha256', pepper)
      .update(JSON.stringify([userId, browser, network]))
      .digest('base64url');
  const oldest = (): Date => new Date(now() - KNOWN_LOCATION_DAYS * DAY_MS);
  return {
    find: async (userId, browser, network) => {
      const hash = hashOf(userId, browser, network);
      const rows = await db.selectFrom('auth.member_place').select(['place', 'used_at']).where('user_id', '=', userId).execute();
      const usedAt = rows.find(({ place }) => place === hash)?.used_at;
      const isKnown = usedAt !== undefined && usedAt > oldest();
      return { hash, isNew: rows.length > 0 && !isKnown, occasion: `${hash} ${usedAt?.toISOString() ?? 'never'}` };
    },
    isKnown: async (userIds, browser, network) => {
      const hashes = [...userIds, NIL_UUID].map((userId) => hashOf(userId, browser, network));
      const known = await db
        .selectFrom('auth.member_place')
        .select('place')
        .where('place', 'in', hashes)
        .where('user_id', 'in', userIds.length > 0 ? [...userIds] : [NIL_UUID as UserId])
        .where('used_at', '>', oldest())
        .executeTakeFirst();
      return known !== undefined;
    },
    remember: async (userId, { hash }) => {
      const used_at = new Date(now());
      await db
        .insertInto('auth.member_place')
        .values({ user_id: userId, place: hash, used_at })
        .onConflict((conflict) => conflict.columns(['user_id', 'place']).doUpdateSet({ used_at }))
        .execute();
      await db.deleteFrom('auth.member_place').where('user_id', '=', userId).where('used_at', '<', oldest()).execute();
    },
    wrongCode: async (userId) => {
      const { rows } = await sql<{ since: Date; n: number }>`
      insert into auth.wrong_code as w (user_id, since, n) values (${userId}, ${new Date(now())}, 1)
      on conflict (user_id) do update set
        n = case when w.since > ${new Date(now() - HOUR_MS)} then w.n + 1 else 1 end,
        since = case when w.since > ${new Date(now() - HOUR_MS)} then w.since else excluded.since end
      returning since, n`.execute(db);
      const [counted] = rows;
      return counted && counted.n >= WRONG_CODES_NOTICED ? counted.since.toISOString() : null;
    },
    forget: async (userId) => {
      await db.deleteFrom('auth.member_place').where('user_id', '=', userId).execute();
      await db.deleteFrom('auth.wrong_code').where('user_id', '=', userId).execute();
    },
  };
};
