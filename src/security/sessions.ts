import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { SessionEnd, SessionKind } from '../database/tables/sessions.ts';
import type { UserId } from '../domain/ids.ts';
import type { Role } from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { DAY_MS, MINUTE_MS } from '../domain/time.ts';
import { createCache } from '../flow/cache.ts';
import {
  LIFETIME,
  matches,
  permissionsOf,
  type Session,
  type SessionClient,
  type SessionMatch,
  type SessionOwner,
} from './session.ts';
import {
  countSessions,
  deleteSessionsBefore,
  endSessions,
  eraseClients,
  findSession,
  insertSession,
  type ListedSession,
  type MachineUses,
  machineUses,
  openSessions,
  SESSIONS_CHANNEL,
  TOUCH_MS,
  unexpiredSessions,
  writeAuthentication,
  writeUses,
} from './sessionRows.ts';
import { sha256Of } from './sha256.ts';

/** The session of a token, or why there is none. `ended` and `owner` are null for an unknown token. */
export type Resolved =
  | Readonly<{ found: true; session: Session }>
  | Readonly<{ found: false; ended: SessionEnd | null; owner: SessionOwner | null }>;

/** Who signed in, how and where; a sign-in with a key has no role. */
type Opening = Readonly<{ role?: Role | null; method?: SignInMethod; client?: SessionClient }>;

/** Opens, finds and ends sessions on all nodes. */
export type Sessions = Readonly<{
  /** Opens a session, by default of a sign-in with a key. The token is returned once; only its SHA-256 is stored. */
  open: (owner: SessionOwner, opening?: Opening) => Promise<{ token: string; session: Session }>;
  /** The session of a token; without a promise if it is cached. Using a session extends it. */
  resolve: (token: string) => Resolved | Promise<Resolved>;
  /**
   * Ends the matching sessions on every node; resolves to their number. Rejects an empty match. With `isRepeatable` it does not wait for the
   * disk, since its caller repeats it after a crash: other transactions that notify would have to wait too.
   */
  end: (match: SessionMatch, reason: SessionEnd, options?: { isRepeatable?: boolean }) => Promise<number>;
  /** Called on every node within a second of an end. After a lost connection the match is empty: resolve all sessions again. */
  onEnded: (handler: (match: SessionMatch, reason: SessionEnd | null) => void) => () => void;
  /** The number of open sessions of one kind. Uses are written late, so an idle one counts a minute longer. */
  count: (match: SessionMatch & { kind: SessionKind }) => Promise<number>;
  /** The open sessions of one kind, the one used last first, at most 500. Uses are written late, by about a minute. */
  list: (match: SessionMatch & { kind: SessionKind }) => Promise<readonly ListedSession[]>;
  /** The last use of each machine of the users. Uses are written late, by about a minute. */
  machineUses: (userIds: readonly UserId[]) => Promise<MachineUses>;
  /** The user of an open session proved again who they are: resolves to when, in ms since 1970, or null if the session has ended. */
  renew: (hash: string) => Promise<number | null>;
  /** When the user proved last who they are, on whatever node. Null if the session has ended. */
  authenticatedAt: (hash: string) => Promise<number | null>;
  /** Forgets the address and the browser of sessions, also of those that have ended. */
  eraseClients: (match: SessionMatch) => Promise<void>;
  /** Which of the sessions with the given hashes are open, according to the database. */
  alive: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  close: () => Promise<void>;
}>;

const CACHED = 20_000;
const CACHE_MS = 60_000;
const FLUSH_MS = 5_000;
const SWEEP_MS = 10 * MINUTE_MS;
const KEPT_AFTER_END_MS = 30 * DAY_MS;
const UNKNOWN_CLIENT: SessionClient = { address: null, browser: null };
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Entry = { session: Session; seenAt: number; writtenAt: number; readAt: number };

/**
 * Sessions in PostgreSQL with opaque tokens of 256 bits, and a cache on each node. The cache is used only while notifications of ended
 * sessions are received, so a session that ended on another node ends here within a second. `now` is in ms since 1970.
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
  const cache = createCache<string, Entry>(CACHED);
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
    await writeUses(db, batch);
  };

  const sweep = (): Promise<void> => deleteSessionsBefore(db, now() - KEPT_AFTER_END_MS);

  const flusher = setInterval(() => void flush().catch(onError), FLUSH_MS);
  const sweeper = setInterval(() => void sweep().catch(onError), SWEEP_MS);

  const open: Sessions['open'] = async (owner, { role = null, method = 'key', client = UNKNOWN_CLIENT } = {}) => {
    const token = randomBytes(32).toString('base64url');
    const hash = sha256Of(token);
    const at = now();
    const expiresAt = at + LIFETIME[owner.kind].absolute;
    const permissions = permissionsOf(owner, role);
    const session = { hash, owner, role, permissions, method, client, authenticatedAt: at, openedAt: at, expiresAt };
    const id = await insertSession(db, session);
    return { token, session: { ...session, id } };
  };

  const resolve = (token: string): Resolved | Promise<Resolved> => {
    if (!TOKEN.test(token)) return { found: false, ended: null, owner: null };
    const hash = sha256Of(token);
    const at = now();
    const cached = cache.get(hash);
    if (cached && notices.live() && at - cached.readAt < CACHE_MS) {
      const { session, seenAt } = cached;
      if (at < session.expiresAt && at - seenAt < LIFETIME[session.owner.kind].idle) return use(hash, cached, at);
    }
    cache.delete(hash);
    return readSession(hash, at, cached);
  };

  const readSession = async (hash: string, at: number, cached: Entry | undefined): Promise<Resolved> => {
    const endsBefore = ends;
    const stored = await findSession(db, hash);
    if (!stored) return { found: false, ended: null, owner: null };
    const { session, lastSeenAt, isEnded, endedReason } = stored;
    const { owner, expiresAt } = session;
    if (isEnded) return { found: false, ended: endedReason, owner };
    const seenAt = Math.max(lastSeenAt, cached?.seenAt ?? 0);
    // Uses are written late by up to TOUCH_MS and FLUSH_MS: the idle time is not cut short by them.
    if (at >= expiresAt || at - seenAt >= LIFETIME[owner.kind].idle + TOUCH_MS) return { found: false, ended: null, owner };
    const entry: Entry = { session, seenAt: at, writtenAt: lastSeenAt, readAt: at };
    if (ends === endsBefore && notices.live()) cache.set(hash, entry);
    return use(hash, entry, at);
  };

  /** What the cache holds of a session may be older than its renewal on another node. */
  const refresh = (hash: string, authenticatedAt: number): void => {
    const entry = cache.peek(hash);
    if (entry) entry.session = { ...entry.session, authenticatedAt };
  };

  const end: Sessions['end'] = async (match, reason, { isRepeatable = false } = {}) => {
    if (!(match.hash ?? match.kind ?? match.userId ?? match.customerId ?? match.integratorId)) {
      throw new Error('Ending sessions needs something that they have in common');
    }
    const ended = await endSessions(db, match, { reason, at: now(), isRepeatable });
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
    count: (match) => countSessions(db, match, now()),
    machineUses: (userIds) => machineUses(db, userIds),
    list: (match) => openSessions(db, match, now()),
    renew: async (hash) => {
      const at = now();
      if (!(await writeAuthentication(db, hash, at))) return null;
      refresh(hash, at);
      return at;
    },
    authenticatedAt: async (hash) => {
      const stored = await findSession(db, hash);
      if (!stored || stored.isEnded) return null;
      const { authenticatedAt } = stored.session;
      refresh(hash, authenticatedAt);
      return authenticatedAt;
    },
    eraseClients: (match) => eraseClients(db, match),
    alive: async (hashes) => {
      const at = now();
      const unexpired = await unexpiredSessions(db, hashes, at);
      const isInUse = ({ hash, kind, lastSeenAt }: (typeof unexpired)[number]): boolean =>
        at - Math.max(lastSeenAt, cache.peek(hash)?.seenAt ?? 0) < LIFETIME[kind].idle + TOUCH_MS;
      return new Set(unexpired.filter(isInUse).map(({ hash }) => hash));
    },
    close: async () => {
      clearInterval(flusher);
      clearInterval(sweeper);
      for (const stop of unsubscribe) stop();
      await flush();
    },
  };
};
