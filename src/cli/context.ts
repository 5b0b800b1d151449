import { join } from 'node:path';
import { type Api, openApi } from './api/api.ts';
import { type Answer, type Failure, notSignedIn } from './failure.ts';
import { type Home, homeOf } from './home/paths.ts';
import { DEFAULT_PROFILE, openProfiles, type Profile, type Profiles } from './home/profiles.ts';
import type { Io } from './io.ts';
import { openSpool, type Spool } from './recording/spool.ts';
import { type Output, openOutput } from './terminal/output.ts';
import { openProgress } from './terminal/progress.ts';
import { plain } from './terminal/text.ts';

/** The options that every command accepts. */
export type Globals = Readonly<{ json: boolean; color: boolean; profile: string | undefined }>;

/** The selected profile; `profile` is null if no user has signed in with that name. */
type Chosen = Readonly<{ name: string; profile: Profile | null }>;
/** The selected profile with its token. */
export type SignedIn = Readonly<{ name: string; profile: Profile; token: string }>;

/** The dependencies of every command. */
export type Context = Readonly<{
  io: Io;
  output: Output;
  home: Home;
  profiles: Profiles;
  /** The name of the selected profile. */
  profileName: () => Answer<string>;
  chosen: () => Answer<Chosen>;
  /** The selected profile and its token, or a failure if it is signed out. Applies the profile's theme to the output. */
  signedIn: () => Answer<SignedIn>;
  api: (server: string, token: string | null) => Api;
  spoolOf: (profile: Profile) => Spool;
  /** Waits for a server's response, and shows the waiting time on a terminal. */
  waitFor: <Value>(server: string, work: Promise<Value>) => Promise<Value>;
}>;

/** The failure of a command that needs a session if the profile has none. */
export const signedOut = (name: string): Failure =>
  notSignedIn(
    'not_signed_in',
    name === DEFAULT_PROFILE ? 'You are not signed in' : `You are not signed in with the profile '${name}'`,
  );

/** Opens the dependencies of one command. It reads no file and sends no request. */
export const openContext = (io: Io, globals: Globals): Context => {
  const output = openOutput(io, globals);
  const home = homeOf(io.env, io.cwd);
  const profiles = openProfiles(home, (warning) => output.note(`${output.err().bad('latchkey:')} ${plain(warning)}`));
  const profileName = () => profiles.nameOf(globals.profile ?? (io.env.LATCHKEY_PROFILE || undefined));
  const chosen = (): Answer<Chosen> => {
    const name = profileName();
    if (!name.ok) return name;
    const profile = profiles.read(name.value);
    if (!profile.ok) return profile;
    if (profile.value !== null) output.setTheme(profile.value.theme);
    return { ok: true, value: { name: name.value, profile: profile.value } };
  };
  return {
    io,
    output,
    home,
    profiles,
    profileName,
    chosen,
    signedIn: () => {
      const found = chosen();
      if (!found.ok) return found;
      const { name, profile } = found.value;
      if (profile === null || profile.token === null) return { ok: false, failure: signedOut(name) };
      return { ok: true, value: { name, profile, token: profile.token } };
    },
    api: (server, token) => openApi({ server, token, env: io.env, now: io.now, signal: io.interrupted }),
    spoolOf: (profile) => openSpool(join(home.state, 'spool', profile.spool), io.now),
    waitFor: (server, work) => work.finally(openProgress(io, output, () => server).end),
  };
};

/** Sends a request as the signed-in user, and returns the reply with the profile. */
export const requestSignedIn = async <Reply>(
  context: Context,
  request: (api: Api) => Promise<Answer<Reply>>,
): Promise<Answer<{ profile: Profile; reply: Reply }>> => {
  const signedIn = context.signedIn();
  if (!signedIn.ok) return signedIn;
  const { profile, token } = signedIn.value;
  const api = context.api(profile.server, token);
  const answer = await context.waitFor(profile.server, request(api).finally(api.close));
  return answer.ok ? { ok: true, value: { profile, reply: answer.value } } : answer;
};
