import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { ApiTokenId } from '../domain/ids.ts';
import { createCache } from '../flow/cache.ts';
import { apiTokenHash, hasChecksum } from './apiTokenFormat.ts';
import { type ApiTokenUses, createApiTokenUses } from './apiTokenUses.ts';
import { isWithin } from './clientNetworks.ts';
import { matches, type Session, type SessionMatch } from './session.ts';
import type { Sessions } from './sessions.ts';

/** The channel of NOTIFY on which nodes announce revoked API tokens, by their ids. */
export const API_TOKENS_CHANNEL = 'latchkey_api_tokens';

/** Why an API token is refused. */
export type ApiTokenProblem =
  | 'api_token_malformed'
  | 'api_token_unknown'
  | 'api_token_revoked'
  | 'api_token_expired'
  | 'api_token_address_refused'
  | 'customer_suspended'
  | 'customer_churned'
  | 'user_suspended'
  | 'integrator_suspended'
  | 'integrator_closed';

/** What a token may do now: its session, and the CIDR blocks that requests may come from (none: any). */
export type LoadedApiToken =
  | Readonly<{ problem: null; session: Session; networks: readonly string[] }>
  | Readonly<{ problem: ApiTokenProblem }>;

/** The session of a token's request, or why it has none. */
export type ResolvedApiToken = Readonly<{ problem: null; session: Session }> | Readonly<{ problem: ApiTokenProblem }>;

/** Resolves API tokens on a node, and announces their revocation to all nodes. */
export type ApiTokens = Readonly<{
  /** Null where the token must be looked up. `address` is the client's. Using a token is noted. */
  cached: (token: string, address: string) => ResolvedApiToken | null;
  /** Looks the token up. Concurrent calls for one token share the look-up. */
  resolve: (token: string, address: string) => Promise<ResolvedApiToken>;
  /** Whether this node found the token before: then asking for it again is no guess. */
  isKnown: (token: string) => boolean;
  /** Ends the use of a revoked token on every node. */
  end: (tokenId: ApiTokenId) => Promise<void>;
  /** Called on every node within a second after the token of a session was revoked, or its tenant may have lost access. */
  onEnded: (handler: (isConcerned: (session: Session) => boolean) => void) => () => void;
  /** Whether a session of a token is still valid. */
  isAlive: (session: Session) => Promise<boolean>;
  usesOf: ApiTokenUses['of'];
  close: () => Promise<void>;
}>;

const CACHED = 20_000;
const CACHE_MS = 60_000;
/** Refusals of known tokens are remembered, so that a program that repeats them costs little. */
const REFUSED_MS = 1_000;

type Entry = Readonly<{ loaded: LoadedApiToken; readAt: number }>;

const tokenIdOf = ({ owner }: Session): ApiTokenId | undefined => ('tokenId' in owner ? owner.tokenId : undefined);

/** Whether sessions end because of what happened to a tenant or one of its users, not as single ones. An empty match is a lost connection. */
const isOfTenant = ({ hash, ids, machine }: SessionMatch): boolean =>
  hash === undefined && ids === undefined && machine === undefined;

/** The tenant of what ends: the user may have created a token, which does not say so. */
const tenantOf = ({ kind, customerId, integratorId }: SessionMatch): SessionMatch => ({
  ...(kind !== undefined && { kind }),
  ...(customerId !== undefined && { customerId }),
  ...(integratorId !== undefined && { integratorId }),
});

/**
 * API tokens with a cache on each node, which is used only while notices of revocations and of ended sessions arrive: whatever ends the
 * sessions of a tenant makes its tokens be looked up again. `load` reads what the token with a SHA-256 may do now. `now` is ms since 1970.
 */
export const createApiTokens = ({
  db,
  notices,
  sessions,
  load,
  now,
  onError,
}: {
  db: Database;
  notices: Notices;
  sessions: Pick<Sessions, 'onEnded'>;
  load: (hash: string) => Promise<LoadedApiToken>;
  now: () => number;
  onError: (error: unknown) => void;
}): ApiTokens => {
  const cache = createCache<string, Entry>(CACHED);
  const known = createCache<string, true>(CACHED);
  const loading = new Map<string, Promise<LoadedApiToken>>();
  const listeners = new Set<(isConcerned: (session: Session) => boolean) => void>();
  const uses = createApiTokenUses({ db, now, onError });
  /** Counts changes, so that what was read before one is not cached after it. */
  let changes = 0;

  const drop = (isConcerned: (session: Session) => boolean): void => {
    changes += 1;
    loading.clear();
    for (const [hash, { loaded }] of [...cache]) if (loaded.problem !== null || isConcerned(loaded.session)) cache.delete(hash);
    for (const listener of listeners) listener(isConcerned);
  };

  const unsubscribe = [
    notices.on(API_TOKENS_CHANNEL, (tokenId) => drop((session) => tokenIdOf(session) === tokenId)),
    notices.onGap(() => drop(() => true)),
    sessions.onEnded((match) => {
      if (isOfTenant(match)) drop((session) => matches(session, tenantOf(match)));
    }),
  ];

  const lookUp = async (hash: string): Promise<LoadedApiToken> => {
    const before = changes;
    const readAt = now();
    const loaded = await load(hash);
    if (loaded.problem === 'api_token_unknown') return loaded;
    known.set(hash, true);
    if (changes === before && notices.live()) cache.set(hash, { loaded, readAt });
    return loaded;
  };

  const shared = (hash: string): Promise<LoadedApiToken> => {
    const under = loading.get(hash) ?? lookUp(hash);
    loading.set(hash, under);
    const done = (): void => {
      if (loading.get(hash) === under) loading.delete(hash);
    };
    under.then(done, done);
    return under;
  };

  /** Expiry and address depend on the request, so they are checked each time. */
  const verdict = (loaded: LoadedApiToken, address: string): ResolvedApiToken => {
    if (loaded.problem !== null) return loaded;
    const { session, networks } = loaded;
    const tokenId = tokenIdOf(session);
    if (now() >= session.expiresAt || tokenId === undefined) return { problem: 'api_token_expired' };
    if (networks.length > 0 && !isWithin(address, networks)) return { problem: 'api_token_address_refused' };
    uses.note(tokenId, address);
    return { problem: null, session };
  };

  return {
    cached: (token, address) => {
      if (!hasChecksum(token)) return { problem: 'api_token_malformed' };
      const entry = cache.get(apiTokenHash(token));
      if (!entry || !notices.live()) return null;
      const isFresh = now() - entry.readAt < (entry.loaded.problem === null ? CACHE_MS : REFUSED_MS);
      return isFresh ? verdict(entry.loaded, address) : null;
    },
    resolve: async (token, address) => {
      if (!hasChecksum(token)) return { problem: 'api_token_malformed' };
      return verdict(await shared(apiTokenHash(token)), address);
    },
    isKnown: (token) => known.has(apiTokenHash(token)),
    end: async (tokenId) => {
      await sql`select pg_notify(${API_TOKENS_CHANNEL}, ${tokenId})`.execute(db);
      drop((session) => tokenIdOf(session) === tokenId);
    },
    onEnded: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isAlive: async ({ hash, expiresAt }) => now() < expiresAt && (await shared(hash)).problem === null,
    usesOf: uses.of,
    close: async () => {
      for (const stop of unsubscribe) stop();
      await uses.close();
    },
  };
};
