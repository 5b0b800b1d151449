import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Env } from '../env.ts';

/** Where the tool keeps what it knows: `config` may be copied to other machines, `state` belongs to this one. */
export type Home = Readonly<{ config: string; state: string }>;

/** LATCHKEY_HOME holds both; otherwise they follow the XDG base directories, whose relative values count as unset. */
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
