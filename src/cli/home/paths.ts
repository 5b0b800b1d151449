import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Env } from '../env.ts';

/** The directories of the tool's files. `config` can be copied to other machines; `state` belongs to this one. */
export type Home = Readonly<{ config: string; state: string }>;

/** Both are LATCHKEY_HOME if it is set, otherwise they follow the XDG base directories. Relative XDG values are ignored. */
export const homeOf = (env: Env, cwd: string): Home => {
  if (env.LATCHKEY_HOME) {
    const home = resolve(cwd, env.LATCHKEY_HOME);
    return { config: home, state: home };
  }
  const user = env.HOME || homedir();
  const base = (value: string | undefined, fallback: string) => (value && isAbsolute(value) ? value : join(user, fallback));
  return {
    config: join(base(env.XDG_CONFIG_HOME, '.config'), 'latchkey'),
    state: join(base(env.XDG_STATE_HOME, '.local/state'), 'latchkey'),
  };
};
