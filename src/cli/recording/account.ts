import { join } from 'node:path';
import type { ApiCallsReply } from '../../contracts/apiCalls.ts';
import { type Api, openApi } from '../api/api.ts';
import type { Env } from '../env.ts';
import { type Answer, failed, notSignedIn } from '../failure.ts';
import { homeOf } from '../home/paths.ts';
import { openProfiles, type Profile } from '../home/profiles.ts';
import { systemClock } from '../io.ts';
import { openSpool, type Spool } from './spool.ts';

/** The profile that a recorder uses. It reads the profile for each request, because a long-running program outlives sessions and tokens. */
export type Account = Readonly<{
  /** The spool of the profile at the first successful call, and the same one afterwards. Fails without a profile. */
  spool: () => Answer<Spool>;
  /** Sends a batch with the current token. */
  post: (body: Buffer, signal: AbortSignal) => Promise<Answer<ApiCallsReply>>;
  close: () => Promise<void>;
}>;

type AccountOptions = Readonly<{ profile: string | undefined; env: Env; cwd: string; signal: AbortSignal }>;

export const openAccount = ({ profile: given, env, cwd, signal: lifetime }: AccountOptions): Account => {
  const home = homeOf(env, cwd);
  const profiles = openProfiles(home);
  let bound: { spool: Spool; customerId: string } | null = null;
  let connection: { api: Api; server: string; token: string } | null = null;

  const readProfile = (): Answer<Profile> => {
    try {
      const name = profiles.nameOf(given ?? (env.LATCHKEY_PROFILE || undefined));
      const found = name.ok ? profiles.read(name.value) : name;
      if (!found.ok) return found;
      if (found.value !== null) return { ok: true, value: found.value };
      return { ok: false, failure: notSignedIn('not_signed_in', 'You are not signed in') };
    } catch (error) {
      return { ok: false, failure: failed('profile_unreadable', String(error)) };
    }
  };

  return {
    spool: () => {
      if (bound === null) {
        const profile = readProfile();
        if (!profile.ok) return profile;
        const { spool, customer } = profile.value;
        bound = { spool: openSpool(join(home.state, 'spool', spool), systemClock), customerId: customer.id };
      }
      return { ok: true, value: bound.spool };
    },
    post: async (body, signal) => {
      const profile = readProfile();
      if (!profile.ok) return profile;
      const { server, token, customer } = profile.value;
      // Calls of one customer are never sent with the token of another one who signed in later.
      if (token === null || customer.id !== bound?.customerId) {
        return { ok: false, failure: notSignedIn('not_signed_in', 'You are not signed in for the customer of these calls') };
      }
      if (connection?.server !== server || connection.token !== token) {
        void connection?.api.close();
        connection = { api: openApi({ server, token, env, now: systemClock, signal: lifetime }), server, token };
      }
      return connection.api.record(body, signal);
    },
    close: async () => {
      await connection?.api.close();
      connection = null;
    },
  };
};
