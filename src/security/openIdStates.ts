import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { IdentityProviderId, TeamId } from '../domain/ids.ts';
import { OPENID_AGAIN_PREFIX as AGAIN_PREFIX, OPENID_SIGN_IN_MS } from '../domain/limits.ts';
import { decrypt, encrypt, Unopenable } from './envelope.ts';
import { sha256Of } from './sha256.ts';

/** A sign-in with OpenID Connect between its start and the return of the browser. `expiresAt` is ms since 1970. */
export type OpenIdState = Readonly<{
  teamId: TeamId;
  providerId: IdentityProviderId;
  redirectUri: string;
  /** The hash of the session whose user authenticates again; null for a sign-in. */
  session: string | null;
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
  expiresAt: number;
}>;

/**
 * The browser keeps the state of its own sign-in, sealed, in a cookie. So a start writes nothing, every node can finish the sign-in, and
 * no other browser can.
 */
export type OpenIdStates = Readonly<{
  /** A new state, and the text that the browser keeps. */
  begin: (
    signIn: Pick<OpenIdState, 'teamId' | 'providerId' | 'redirectUri' | 'session'>,
  ) => Readonly<{ state: OpenIdState; sealed: string }>;
  /** The state that a browser kept; null if it is none of ours or has expired. */
  open: (sealed: string) => OpenIdState | null;
  /** Uses up a state: of all uses, on any node, one resolves to true. */
  use: (state: OpenIdState) => Promise<boolean>;
}>;

const AAD = 'openid state v2';
const random = (): string => randomBytes(32).toString('base64url');

/** `key` has 32 bytes; `now` is ms since 1970. */
export const createOpenIdStates = ({ db, key, now }: { db: Database; key: Buffer; now: () => number }): OpenIdStates => ({
  begin: ({ teamId, providerId, redirectUri, session }) => {
    const prefix = session === null ? '' : AGAIN_PREFIX;
    const secrets = { state: `${prefix}${random()}`, nonce: random(), verifier: random() };
    const state = { teamId, providerId, redirectUri, session, ...secrets, expiresAt: now() + OPENID_SIGN_IN_MS };
    return { state, sealed: encrypt(key, Buffer.from(JSON.stringify(state)), AAD).toString('base64url') };
  },
  open: (sealed) => {
    try {
      const state: OpenIdState = JSON.parse(decrypt(key, Buffer.from(sealed, 'base64url'), AAD).toString());
      return now() < state.expiresAt ? state : null;
    } catch (error) {
      if (error instanceof Unopenable) return null;
      throw error;
    }
  },
  use: async ({ state, expiresAt }) => {
    const hash = sha256Of(state);
    await sql`delete from auth.openid_state where expires_at < ${new Date(now())}`.execute(db);
    const { rows } = await sql`
      insert into auth.openid_state (state_hash, expires_at) values (${hash}, ${new Date(expiresAt)})
      on conflict (state_hash) do nothing returning state_hash`.execute(db);
    return rows.length === 1;
  },
});
