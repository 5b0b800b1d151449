import { type Context, signedOut } from '../context.ts';
import type { Answer, Failure } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { refreshed } from './describe.ts';

/** What the server says of the session; where it could not be asked, what it said the last time, and why. */
export type Known = Readonly<{ name: string; profile: Profile; failure: Failure | null }>;

/** Asks the server about the session and remembers the answer. Fails only when nobody ever signed in. */
export const lookUp = async (context: Context): Promise<Answer<Known>> => {
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
  output.wear(now.theme);
  return { ok: true, value: { name, profile: now, failure: null } };
};
