import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { Tables } from '../database/tables/tables.ts';
import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import { chunks } from '../projections/engine/changes.ts';

/** The channel of NOTIFY on which nodes announce connected and disconnected users. */
export const PRESENCE_CHANNEL = 'latchkey_presence';

/** A user with its customer. */
export type UserIds = Readonly<{ userId: UserId; customerId: CustomerId }>;

/** Whether a user has an open socket on any node. */
export type UserPresence = UserIds & Readonly<{ integratorId: IntegratorId | null; connected: boolean }>;

/** A connection that another node has taken over. */
export type Moved = { connectionId: ConnectionId; to: string };

type Notice = { users: [UserId, CustomerId][]; moved: Moved[] };

/** Users, or moved connections, in one NOTIFY. Its payload has at most 8,000 bytes, and each takes about 120. */
export const ANNOUNCED = 50;
/** How soon a failed query is retried. */
const RETRY_MS = 1_000;

/** The NOTIFY payloads which announce that these users connected or disconnected. */
export const noticesOf = (users: readonly UserIds[]): string[] => {
  const distinct = [...new Map(users.map((who) => [who.userId, who])).values()];
  return chunks(distinct, ANNOUNCED).map((some) => {
    const notice: Notice = {
      users: some.map(({ userId, customerId }) => [userId, customerId]),
      moved: [],
    };
    return JSON.stringify(notice);
  });
};

/** Announces to every node, on commit of the transaction, that these users connected or disconnected. */
export const announce = async (tx: Transaction<Tables>, users: readonly UserIds[]): Promise<void> => {
  const notices = noticesOf(users);
  if (notices.length === 0) return;
  await sql`select pg_notify(${PRESENCE_CHANNEL}, notice) from unnest(${notices}::text[]) as notice`.execute(tx);
};

/** Listens for announced users and reads their present state, so that the state after the last notice is published last. */
export const subscribeToPresence = ({
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
  const changed = new Map<UserId, UserIds>();
  let asking: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;

  const publish = async (): Promise<void> => {
    while (changed.size > 0) {
      const users = [...changed.values()];
      const [connected, owners] = await Promise.all([
        db
          .selectFrom('live.connection')
          .select('user_id')
          .distinct()
          .where(sql<boolean>`user_id = any(${users.map(({ userId }) => userId)}::uuid[])`)
          .execute(),
        db
          .selectFrom('read.customer')
          .select(['customer_id', 'integrator_id'])
          .where(sql<boolean>`customer_id = any(${[...new Set(users.map(({ customerId }) => customerId))]}::uuid[])`)
          .execute(),
      ]);
      const ownerOf = new Map(owners.map((row) => [row.customer_id, row.integrator_id]));
      // An expired lease counts until it is swept, which is announced: after an outage all have expired, and all are renewed.
      const here = new Set(connected.map((row) => row.user_id));
      // Users that were announced again during the query stay in the map and are read again.
      for (const who of users) if (changed.get(who.userId) === who) changed.delete(who.userId);
      onPresence(
        users.map((who) => ({ ...who, integratorId: ownerOf.get(who.customerId) ?? null, connected: here.has(who.userId) })),
      );
    }
  };

  const ask = (): void => {
    clearTimeout(retry);
    asking ??= publish()
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
    for (const [userId, customerId] of users) changed.set(userId, { userId, customerId });
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
