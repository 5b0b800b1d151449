import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { SessionEnd, SessionKind } from '../database/tables/sessions.ts';
import type { Tables } from '../database/tables/tables.ts';
import type { PublicMachineId, SessionId, UserId } from '../domain/ids.ts';
import { LIFETIME, permissionsOf, type Session, type SessionMatch, type SessionOwner } from './session.ts';

/** The channel of NOTIFY on which nodes announce ended sessions. */
export const SESSIONS_CHANNEL = 'latchkey_sessions';

/** The use of a session is written at most this often, in ms, so that a request costs no write. */
export const TOUCH_MS = 60_000;

type Row = Selectable<Tables['auth.session']>;

const ownerOf = (row: Row): SessionOwner => {
  const { kind, user_id: userId, customer_id: customerId, integrator_id: integratorId, machine } = row;
  const member = userId === null ? {} : { userId };
  if (kind === 'admin') return { kind, ...member };
  if (kind === 'integrator' && integratorId) return { kind, integratorId, ...member };
  if (kind === 'customer' && customerId && integratorId) return { kind, customerId, integratorId, ...member };
  if (kind === 'cli' && userId && customerId && integratorId) return { kind, userId, customerId, integratorId, machine };
  throw new Error(`A ${kind} session has no owner`);
};

const sessionIn = (row: Row): Session => {
  const owner = ownerOf(row);
  return {
    hash: row.token_hash,
    id: row.session_id,
    owner,
    role: row.role,
    permissions: permissionsOf(owner, row.role),
    method: row.method,
    client: { address: row.address, browser: row.browser },
    authenticatedAt: (row.authenticated_at ?? row.created_at).getTime(),
    openedAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
};

/** Inserts a new session; resolves to its id. */
export const insertSession = async (db: Database, session: Omit<Session, 'id'>): Promise<SessionId> => {
  const { hash, owner, role, method, client, authenticatedAt, openedAt, expiresAt } = session;
  const { session_id } = await db
    .insertInto('auth.session')
    .values({
      token_hash: hash,
      kind: owner.kind,
      user_id: ('userId' in owner && owner.userId) || null,
      customer_id: 'customerId' in owner ? owner.customerId : null,
      integrator_id: 'integratorId' in owner ? owner.integratorId : null,
      machine: 'machine' in owner ? owner.machine : null,
      role,
      method,
      address: client.address,
      browser: client.browser,
      authenticated_at: new Date(authenticatedAt),
      created_at: new Date(openedAt),
      last_seen_at: new Date(openedAt),
      expires_at: new Date(expiresAt),
      ended_at: null,
      ended_reason: null,
    })
    .returning('session_id')
    .executeTakeFirstOrThrow();
  return session_id;
};

/** A stored session, open or not. `isEnded` is false for an expired one. */
export type StoredSession = Readonly<{ session: Session; lastSeenAt: number; isEnded: boolean; endedReason: SessionEnd | null }>;

/** The session with this hash; null if there is none. */
export const findSession = async (db: Database, hash: string): Promise<StoredSession | null> => {
  const row = await db.selectFrom('auth.session').selectAll().where('token_hash', '=', hash).executeTakeFirst();
  if (!row) return null;
  return {
    session: sessionIn(row),
    lastSeenAt: row.last_seen_at.getTime(),
    isEnded: row.ended_at !== null,
    endedReason: row.ended_reason,
  };
};

/** Whether the tenant's key opened a session: never null. */
const IS_BY_KEY = sql`(case when kind = 'cli' then method is distinct from 'device_code' else user_id is null end)`;

/** Which rows a match selects; the same as `matches` decides for a session in memory. */
const selectedBy = (match: SessionMatch): RawBuilder<boolean> => {
  const conditions: RawBuilder<unknown>[] = [];
  if (match.hash !== undefined) conditions.push(sql`token_hash = ${match.hash}`);
  if (match.ids !== undefined) conditions.push(sql`session_id = any(${match.ids}::uuid[])`);
  if (match.kind !== undefined) conditions.push(sql`kind = ${match.kind}`);
  if (match.userId !== undefined) conditions.push(sql`user_id = ${match.userId}`);
  if (match.isByKey) conditions.push(IS_BY_KEY);
  if (match.isByName) conditions.push(sql`not ${IS_BY_KEY}`);
  if (match.customerId !== undefined) conditions.push(sql`customer_id = ${match.customerId}`);
  if (match.integratorId !== undefined) conditions.push(sql`integrator_id = ${match.integratorId}`);
  if (match.machine !== undefined) conditions.push(sql`(machine = ${match.machine} or machine is null)`);
  if (match.openedBefore !== undefined) conditions.push(sql`created_at < ${new Date(match.openedBefore)}`);
  if (match.exceptRole !== undefined) conditions.push(sql`role is distinct from ${match.exceptRole}`);
  if (match.except !== undefined) conditions.push(sql`token_hash != ${match.except}`);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

/** Ends the matching sessions and notifies all nodes with the commit; resolves to their number. `isRepeatable` as in `Sessions.end`. */
export const endSessions = async (
  db: Database,
  match: SessionMatch,
  { reason, at, isRepeatable }: { reason: SessionEnd; at: number; isRepeatable: boolean },
): Promise<number> => {
  const query = db
    .updateTable('auth.session')
    .set({ ended_at: new Date(at), ended_reason: reason })
    .where('ended_at', 'is', null)
    .where(selectedBy(match));
  const { ended } = await db
    .with('ended', () => query.returning('token_hash'))
    .selectNoFrom(sql<number>`(select count(*) from ended)`.as('ended'))
    .select(sql`pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify({ match, reason })})::text`.as('notified'))
    .$if(isRepeatable, (statement) => statement.select(sql`set_config('synchronous_commit', 'off', true)`.as('waits')))
    .executeTakeFirstOrThrow();
  return ended;
};

/** An open session, with its last written use in ms since 1970. */
export type ListedSession = Readonly<{ session: Session; lastSeenAt: number }>;

/** The most sessions that a list holds. */
const LISTED = 500;

const open = (db: Database, match: SessionMatch & { kind: SessionKind }, at: number) =>
  db
    .selectFrom('auth.session')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(at))
    .where('last_seen_at', '>', new Date(at - LIFETIME[match.kind].idle - TOUCH_MS))
    .where(selectedBy(match));

/** The open sessions of one kind that a match selects at `at` (ms since 1970), the one used last first. */
export const openSessions = async (
  db: Database,
  match: SessionMatch & { kind: SessionKind },
  at: number,
): Promise<readonly ListedSession[]> => {
  const rows = await open(db, match, at).selectAll().orderBy('last_seen_at', 'desc').limit(LISTED).execute();
  return rows.map((row) => ({ session: sessionIn(row), lastSeenAt: row.last_seen_at.getTime() }));
};

/** The last use of a machine by a user: `browser` as in `SessionClient`, `lastSeenAt` in ms since 1970. */
type MachineUse = Readonly<{ browser: string | null; lastSeenAt: number }>;

/** The last uses by the public id of the machine. */
export type MachineUses = ReadonlyMap<PublicMachineId, MachineUse>;

/** The last use of each machine of the users, by sessions that are open or ended less than 30 days ago. */
export const machineUses = async (db: Database, userIds: readonly UserId[]): Promise<MachineUses> => {
  const { rows } = await sql<{ machine: PublicMachineId; browser: string | null; last_seen_at: Date }>`
    select distinct on (machine) machine, browser, last_seen_at from auth.session
    where user_id = any(${userIds}::uuid[]) and machine is not null order by machine, last_seen_at desc`.execute(db);
  return new Map(rows.map(({ machine, browser, last_seen_at }) => [machine, { browser, lastSeenAt: last_seen_at.getTime() }]));
};

/** Writes that the user of an open session authenticated at `at`, ms since 1970; resolves to whether the session is open. */
export const writeAuthentication = async (db: Database, hash: string, at: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('auth.session')
    .set({ authenticated_at: new Date(at) })
    .where('token_hash', '=', hash)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Forgets from where the matching sessions were opened, open or not. */
export const eraseClients = async (db: Database, match: SessionMatch): Promise<void> => {
  await db.updateTable('auth.session').set({ address: null, browser: null }).where(selectedBy(match)).execute();
};

/** The number of open sessions of one kind that a match selects at `at` (ms since 1970). */
export const countSessions = async (db: Database, match: SessionMatch & { kind: SessionKind }, at: number): Promise<number> => {
  const { n } = await open(db, match, at)
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
};

/** The sessions with the given hashes that neither ended nor reached their absolute lifetime, with their last written use in epoch ms. */
export const unexpiredSessions = async (
  db: Database,
  hashes: readonly string[],
  at: number,
): Promise<{ hash: string; kind: SessionKind; lastSeenAt: number }[]> => {
  const rows = await db
    .selectFrom('auth.session')
    .select(['token_hash', 'kind', 'last_seen_at'])
    .where(sql<boolean>`token_hash = any(${hashes}::text[])`)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(at))
    .execute();
  return rows.map(({ token_hash: hash, kind, last_seen_at }) => ({ hash, kind, lastSeenAt: last_seen_at.getTime() }));
};

/** Writes when sessions were used, by hash, in ms since 1970. */
export const writeUses = async (db: Database, uses: readonly (readonly [hash: string, at: number])[]): Promise<void> => {
  await sql`
    update auth.session set last_seen_at = greatest(last_seen_at, seen.at)
    from unnest(${uses.map(([hash]) => hash)}::text[], ${uses.map(([, at]) => new Date(at))}::timestamptz[]) as seen (hash, at)
    where token_hash = seen.hash`.execute(db);
};

/** Deletes up to 1,000 sessions that ended, expired or were last used their idle time before `at`, ms since 1970. */
export const deleteSessionsBefore = async (db: Database, at: number): Promise<void> => {
  const over = new Date(at);
  const unused = Object.entries(LIFETIME).map(
    ([kind, { idle }]) => sql`kind = ${kind} and last_seen_at < ${new Date(at - idle - TOUCH_MS)}`,
  );
  await sql`
    delete from auth.session where token_hash in (
      select token_hash from auth.session
      where expires_at < ${over} or ended_at < ${over} or ${sql.join(unused, sql` or `)} limit 1000)`.execute(db);
};
