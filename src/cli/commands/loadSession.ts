import { type Context, signedOut } from '../context.ts';
import type { Answer, Failure } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { allowsCalls } from '../recording/quotaHold.ts';
import { refreshed } from './describe.ts';

/** The current session, or the last known one with the failure of the request. */
export type LoadedSession = Readonly<{ name: string; profile: Profile; failure: Failure | null }>;

/** Requests the session from the server and saves it to the profile. Only fails without a profile. */
export const loadSession = async (context: Context): Promise<Answer<LoadedSession>> => {
  const { output, profiles } = context;
  const chosen = context.chosen();
  if (!chosen.ok) return chosen;
  const { name, profile } = chosen.value;
  if (profile === null) return { ok: false, failure: signedOut(name) };
  if (profile.token === null) return { ok: true, value: { name, profile, failure: signedOut(name) } };
  const api = context.api(profile.server, profile.token);
  const answer = await context.waitFor(profile.server, api.session().finally(api.close));
  if (!answer.ok) return { ok: true, value: { name, profile, failure: answer.failure } };
  const now = refreshed(profile, answer.value);
  if (JSON.stringify(now) !== JSON.stringify(profile)) profiles.write(name, now);
  if (allowsCalls(now.callQuota)) context.spoolOf(now).quota.end();
  output.setTheme(now.theme);
  return { ok: true, value: { name, profile: now, failure: null } };
};
