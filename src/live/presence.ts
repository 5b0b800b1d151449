import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { Tables } from '../database/tables.ts';
import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../domain/ids.ts';

export const PRESENCE_CHANNEL = 'latchkey_presence';

/** A user, and who may know of them. */
export type Who = Readonly<{ userId: UserId; customerId: CustomerId; integratorId: IntegratorId }>;

/** Whether a user has any socket open, on whatever node. */
export type UserPresence = Who & Readonly<{ connected: boolean }>;

/** A connection that is another node's now. */
export type Moved = { connectionId: ConnectionId; to: string };

type Notice = { users: [UserId, CustomerId, IntegratorId][]; moved: Moved[] };

/** Users, or moved connections, of one NOTIFY: it carries 8,000 bytes, and each takes about 120 of them. */
export const ANNOUNCED = 50;
/** How soon it is asked again who is here, when it could not be answered. */
const RETRY_MS = 1_000;

/** The payloads that tell every node that these users came or went. */
export const noticesOf = (users: readonly Who[]): string[] => {
  const distinct = [...new Map(users.map((who) => [who.userId, who])).values()];
  return Array.from({ length: Math.ceil(distinct.length / ANNOUNCED) }, (_, index) => {
    const some = distinct.slice(index * ANNOUNCED, (index + 1) * ANNOUNCED);
    const notice: Notice = {
      users: some.map(({ userId, customerId, integratorId }) => [userId, customerId, integratorId]),
      moved: [],
    };
    return JSON.stringify(notice);
  });
};

/** Tells every node, with the transaction's commit, that these users came or went. */
export const announce = async (tx: Transaction<Tables>, users: readonly Who[]): Promise<void> => {
  const notices = noticesOf(users);
  if (notices.length === 0) return;
  await sql`select pg_notify(${PRESENCE_CHANNEL}, notice) from unnest(${notices}::text[]) as notice`.execute(tx);
};

/** Hears of users who came or went, and asks how they are now: what is true after the last notice is told last. */
export const hearPresence = ({
  db,
  notices,
  onPresence,
  onMoved,
  onError,
}: {
  db: Database;
  notices: Notices;
  onPresence: (presence: readonly UserPresence[]) => void;
  onMoved: (moved: Moved) => void;
  onError: (error: unknown) => void;
}): { stop: () => Promise<void> } => {
  const changed = new Map<UserId, Who>();
  let asking: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;

  const tell = async (): Promise<void> => {
    while (changed.size > 0) {
      const users = [...changed.values()];
      const connected = await db
        .selectFrom('live.connection')
        .select('user_id')
        .distinct()
        .where(sql<boolean>`user_id = any(${users.map(({ userId }) => userId)}::uuid[])`)
        .execute();
      // A lease that ran out is over once it is swept, which is announced: after an outage all have run out, and all are renewed.
      const here = new Set(connected.map((row) => row.user_id));
      // Whoever was announced again meanwhile is asked for again.
      for (const who of users) if (changed.get(who.userId) === who) changed.delete(who.userId);
      onPresence(users.map((who) => ({ ...who, connected: here.has(who.userId) })));
    }
  };

  const ask = (): void => {
    clearTimeout(retry);
    asking ??= tell()
      .catch((error: unknown) => {
        onError(error);
        retry = setTimeout(ask, RETRY_MS);
      })
      .finally(() => {
        asking = null;
      });
  };

  const unsubscribe = notices.on(PRESENCE_CHANNEL, (payload) => {
    const { users, moved }: Notice = JSON.parse(payload);
    for (const [userId, customerId, integratorId] of users) changed.set(userId, { userId, customerId, integratorId });
    for (const one of moved) onMoved(one);
    ask();
  });

  return {
    stop: async () => {
      unsubscribe();
      await asking;
      clearTimeout(retry);
    },
  };
};
