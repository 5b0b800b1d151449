import { hash as digest, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { SessionEnd, SessionKind } from '../database/tables/sessions.ts';
import type { Tables } from '../database/tables/tables.ts';
import type { CustomerId, IntegratorId, PublicMachineId, UserId } from '../domain/ids.ts';
import {
  FULL_ROLE,
  type Permission,
  permissionsOfRole,
  type Role,
  type TenantKind,
  TOOL_PERMISSIONS,
} from '../domain/permissions.ts';

/** Who a session speaks for. The integrator of a customer or of a user is the one it belongs to. */
export type SessionOwner =
  | Readonly<{ kind: 'admin' }>
  | Readonly<{ kind: 'integrator'; integratorId: IntegratorId }>
  | Readonly<{ kind: 'customer'; customerId: CustomerId; integratorId: IntegratorId }>
  | Readonly<{
      kind: 'cli';
      userId: UserId;
      customerId: CustomerId;
      integratorId: IntegratorId;
      /** Null for a session that a version without approvals opened. */
      machine: PublicMachineId | null;
    }>;

/** `hash` names the session without giving it away; `expiresAt` is the latest it can live. Times are ms since 1970. */
export type Session = Readonly<{
  hash: string;
  owner: SessionOwner;
  /** Null for a sign-in with a key and for tools. */
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  openedAt: number;
  expiresAt: number;
}>;

/** Selects sessions: those that match every given field. */
export type SessionMatch = Readonly<{
  hash?: string;
  kind?: SessionKind;
  userId?: UserId;
  customerId?: CustomerId;
  integratorId?: IntegratorId;
  /** Sessions on this machine, and those without a known machine. */
  machine?: PublicMachineId;
  /** The hash of a session that is kept. */
  except?: string;
  /** Sessions that were opened from then on are kept, ms since 1970. */
  openedBefore?: number;
}>;

/** The session of a token, or why there is none. `ended` and `owner` are null for an unknown token. */
export type Resolved =
  | Readonly<{ found: true; session: Session }>
  | Readonly<{ found: false; ended: SessionEnd | null; owner: SessionOwner | null }>;

/** Opens, finds and ends sessions on all nodes. */
export type Sessions = Readonly<{
  /** Begins a session, with a key unless there is a role; the token leaves the server once and only its SHA-256 is kept. */
  open: (owner: SessionOwner, role?: Role) => Promise<{ token: string; session: Session }>;
  /** The session of a token; without a promise if it is cached. Using a session extends it. */
  resolve: (token: string) => Resolved | Promise<Resolved>;
  /**
   * Ends the matching sessions on every node; resolves to their number. Rejects an empty match. With `isRepeatable` it does not wait for the
   * disk, since its caller repeats it after a crash: other transactions that notify would have to wait too.
   */
  end: (match: SessionMatch, reason: SessionEnd, options?: { isRepeatable?: boolean }) => Promise<number>;
  /** Called on every node within a second of an end. After a lost connection the match is empty: resolve all sessions again. */
  onEnded: (handler: (match: SessionMatch, reason: SessionEnd | null) => void) => () => void;
  /** The number of open sessions of one kind, of a customer or an integrator. Uses are written late, so an idle one counts a minute longer. */
  count: (match: Pick<SessionMatch, 'customerId' | 'integratorId'> & { kind: SessionKind }) => Promise<number>;
  /** Which of these still live, asked of the database itself. */
  alive: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  close: () => Promise<void>;
}>;

/** The channel of NOTIFY on which nodes announce ended sessions. */
export const SESSIONS_CHANNEL = 'latchkey_sessions';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** How long a session lives unused, and at most. */
export const LIFETIME: Record<SessionKind, { idle: number; absolute: number }> = {
  admin: { idle: 30 * MINUTE, absolute: DAY / 2 },
  customer: { idle: DAY / 2, absolute: 30 * DAY },
  integrator: { idle: DAY / 2, absolute: 30 * DAY },
  cli: { idle: 90 * DAY, absolute: 365 * DAY },
};

const CACHED = 20_000;
const CACHE_MS = MINUTE;
/** A use is written at most this often, so that a request costs no write. */
const TOUCH_MS = MINUTE;
const FLUSH_MS = 5_000;
const SWEEP_MS = 10 * MINUTE;
const KEPT_AFTER_END_MS = 30 * DAY;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Entry = { session: Session; seenAt: number; writtenAt: number; readAt: number };
type Row = Tables['auth.session'];

const hashOf = (token: string): string => digest('sha256', token);

const ownerOf = (row: Row): SessionOwner => {
  const { kind, user_id: userId, customer_id: customerId, integrator_id: integratorId, machine } = row;
  if (kind === 'admin') return { kind };
  if (kind === 'integrator' && integratorId) return { kind, integratorId };
  if (kind === 'customer' && customerId && integratorId) return { kind, customerId, integratorId };
  if (kind === 'cli' && userId && customerId && integratorId) return { kind, userId, customerId, integratorId, machine };
  throw new Error(`A ${kind} session does not say whose it is`);
};

/** The kind of tenant that the owner of a session works for. */
export const TENANT_OF: Record<SessionKind, TenantKind> = {
  admin: 'administration',
  integrator: 'integrator',
  customer: 'customer',
  cli: 'customer',
};

/** A sign-in with a key has all permissions of its tenant. */
const permissionsOf = ({ kind }: SessionOwner, role: Role | null): ReadonlySet<Permission> =>
  kind === 'cli' ? TOOL_PERMISSIONS : permissionsOfRole(TENANT_OF[kind], role ?? FULL_ROLE[TENANT_OF[kind]]);

/** Whether a session is one of those that a notice is about. */
export const matches = ({ hash, owner, openedAt }: Session, match: SessionMatch): boolean =>
  (match.hash === undefined || match.hash === hash) &&
  (match.except === undefined || match.except !== hash) &&
  (match.openedBefore === undefined || openedAt < match.openedBefore) &&
  (match.kind === undefined || match.kind === owner.kind) &&
  (match.userId === undefined || ('userId' in owner && owner.userId === match.userId)) &&
  (match.customerId === undefined || ('customerId' in owner && owner.customerId === match.customerId)) &&
  (match.machine === undefined || ('machine' in owner && (owner.machine === null || owner.machine === match.machine))) &&
  (match.integratorId === undefined || ('integratorId' in owner && owner.integratorId === match.integratorId));

/**
 * Opaque sessions of 256 bits in Postgres, with a small cache a node. The cache is believed only while notices of ended
 * sessions are received, so a session that ended on another node ends here within a second.
 * `now` is ms since 1970.
 */
export const createSessions = ({
  db,
  notices,
  now,
  onError,
}: {
  db: Database;
  notices: Notices;
  now: () => number;
  onError: (error: unknown) => void;
}): Sessions => {
  const cache = new LRUCache<string, Entry>({ max: CACHED });
  const used = new Map<string, number>();
  const listeners = new Set<(match: SessionMatch, reason: SessionEnd | null) => void>();
  /** Counts ends, so that a row read before an end is not cached after it. */
  let ends = 0;

  const drop = (match: SessionMatch): void => {
    ends += 1;
    if (match.hash !== undefined) cache.delete(match.hash);
    else for (const [hash, { session }] of [...cache]) if (matches(session, match)) cache.delete(hash);
  };

  const unsubscribe = [
    notices.on(SESSIONS_CHANNEL, (payload) => {
      const { match, reason }: { match: SessionMatch; reason: SessionEnd } = JSON.parse(payload);
      drop(match);
      for (const listener of listeners) listener(match, reason);
    }),
    notices.onGap(() => {
      drop({});
      for (const listener of listeners) listener({}, null);
    }),
  ];

  const use = (hash: string, entry: Entry, at: number): Resolved => {
    entry.seenAt = at;
    if (at - entry.writtenAt >= TOUCH_MS) {
      entry.writtenAt = at;
      used.set(hash, at);
    }
    return { found: true, session: entry.session };
  };

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const batch = [...used];
    used.clear();
    await sql`
      update auth.session set last_seen_at = greatest(last_seen_at, seen.at)
      from unnest(${batch.map(([hash]) => hash)}::text[], ${batch.map(([, at]) => new Date(at))}::timestamptz[]) as seen (hash, at)
      where token_hash = seen.hash`.execute(db);
  };

  const sweep = async (): Promise<void> => {
    const over = new Date(now() - KEPT_AFTER_END_MS);
    await sql`
      delete from auth.session where token_hash in (
        select token_hash from auth.session where expires_at < ${over} or ended_at < ${over} limit 1000)`.execute(db);
  };

  const flusher = setInterval(() => void flush().catch(onError), FLUSH_MS);
  const sweeper = setInterval(() => void sweep().catch(onError), SWEEP_MS);

  const open = async (owner: SessionOwner, role: Role | null = null): Promise<{ token: string; session: Session }> => {
    const token = randomBytes(32).toString('base64url');
    const hash = hashOf(token);
    const at = now();
    const expiresAt = at + LIFETIME[owner.kind].absolute;
    const session: Session = { hash, owner, role, permissions: permissionsOf(owner, role), openedAt: at, expiresAt };
    await db
      .insertInto('auth.session')
      .values({
        token_hash: hash,
        kind: owner.kind,
        user_id: 'userId' in owner ? owner.userId : null,
        customer_id: 'customerId' in owner ? owner.customerId : null,
        integrator_id: 'integratorId' in owner ? owner.integratorId : null,
        machine: 'machine' in owner ? owner.machine : null,
        role,
        created_at: new Date(at),
        last_seen_at: new Date(at),
        expires_at: new Date(expiresAt),
        ended_at: null,
        ended_reason: null,
      })
      .execute();
    return { token, session };
  };

  const resolve = (token: string): Resolved | Promise<Resolved> => {
    if (!TOKEN.test(token)) return { found: false, ended: null, owner: null };
    const hash = hashOf(token);
    const at = now();
    const cached = cache.get(hash);
    if (cached && notices.live() && at - cached.readAt < CACHE_MS) {
      const { session, seenAt } = cached;
      if (at < session.expiresAt && at - seenAt < LIFETIME[session.owner.kind].idle) return use(hash, cached, at);
    }
    cache.delete(hash);
    return ask(hash, at, cached);
  };

  const ask = async (hash: string, at: number, cached: Entry | undefined): Promise<Resolved> => {
    const endsBefore = ends;
    const row = await db.selectFrom('auth.session').selectAll().where('token_hash', '=', hash).executeTakeFirst();
    if (!row) return { found: false, ended: null, owner: null };
    const owner = ownerOf(row);
    if (row.ended_at) return { found: false, ended: row.ended_reason, owner };
    const seenAt = Math.max(row.last_seen_at.getTime(), cached?.seenAt ?? 0);
    const expiresAt = row.expires_at.getTime();
    // Uses are written late by up to TOUCH_MS and FLUSH_MS: the idle time is not cut short by them.
    if (at >= expiresAt || at - seenAt >= LIFETIME[owner.kind].idle + TOUCH_MS) return { found: false, ended: null, owner };
    const session: Session = {
      hash,
      owner,
      role: row.role,
      permissions: permissionsOf(owner, row.role),
      openedAt: row.created_at.getTime(),
      expiresAt,
    };
    const entry: Entry = { session, seenAt: at, writtenAt: row.last_seen_at.getTime(), readAt: at };
    if (ends === endsBefore && notices.live()) cache.set(hash, entry);
    return use(hash, entry, at);
  };

  const end: Sessions['end'] = async (match, reason, { isRepeatable = false } = {}) => {
    if (!(match.hash ?? match.kind ?? match.userId ?? match.customerId ?? match.integratorId)) {
      throw new Error('Ending sessions needs something that they have in common');
    }
    let query = db
      .updateTable('auth.session')
      .set({ ended_at: new Date(now()), ended_reason: reason })
      .where('ended_at', 'is', null);
    if (match.hash !== undefined) query = query.where('token_hash', '=', match.hash);
    if (match.kind !== undefined) query = query.where('kind', '=', match.kind);
    if (match.userId !== undefined) query = query.where('user_id', '=', match.userId);
    if (match.customerId !== undefined) query = query.where('customer_id', '=', match.customerId);
    if (match.integratorId !== undefined) query = query.where('integrator_id', '=', match.integratorId);
    const { machine } = match;
    if (machine !== undefined)
      query = query.where((where) => where.or([where('machine', '=', machine), where('machine', 'is', null)]));
    if (match.openedBefore !== undefined) query = query.where('created_at', '<', new Date(match.openedBefore));
    if (match.except !== undefined) query = query.where('token_hash', '!=', match.except);
    const { ended } = await db
      .with('ended', () => query.returning('token_hash'))
      .selectNoFrom(sql<number>`(select count(*) from ended)`.as('ended'))
      .select(sql`pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify({ match, reason })})::text`.as('notified'))
      .$if(isRepeatable, (statement) => statement.select(sql`set_config('synchronous_commit', 'off', true)`.as('waits')))
      .executeTakeFirstOrThrow();
    drop(match);
    return ended;
  };

  return {
    open,
    resolve,
    end,
    onEnded: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    count: async ({ kind, customerId, integratorId }) => {
      const at = now();
      let query = db
        .selectFrom('auth.session')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('kind', '=', kind)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', new Date(at))
        .where('last_seen_at', '>', new Date(at - LIFETIME[kind].idle - TOUCH_MS));
      if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
      if (integratorId !== undefined) query = query.where('integrator_id', '=', integratorId);
      return (await query.executeTakeFirstOrThrow()).n;
    },
    alive: async (hashes) => {
      const at = now();
      const rows = await db
        .selectFrom('auth.session')
        .select(['token_hash', 'kind', 'last_seen_at'])
        .where(sql<boolean>`token_hash = any(${hashes}::text[])`)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', new Date(at))
        .execute();
      const isInUse = ({ token_hash, kind, last_seen_at }: (typeof rows)[number]): boolean =>
        at - Math.max(last_seen_at.getTime(), cache.peek(token_hash)?.seenAt ?? 0) < LIFETIME[kind].idle + TOUCH_MS;
      return new Set(rows.filter(isInUse).map((row) => row.token_hash));
    },
    close: async () => {
      clearInterval(flusher);
      clearInterval(sweeper);
      for (const stop of unsubscribe) stop();
      await flush();
    },
  };
};
