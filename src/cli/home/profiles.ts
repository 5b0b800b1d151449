import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { callQuotaUse } from '../../contracts/callQuotas.ts';
import { cliCustomer, cliLease, cliSeat } from '../../contracts/cli.ts';
import { licenseEntitlements } from '../../contracts/entitlements.ts';
import { licenseTerm } from '../../contracts/terms.ts';
import { cliTheme } from '../../contracts/themes.ts';
import { user } from '../../contracts/users.ts';
import { type Answer, failed, misused } from '../failure.ts';
import { errnoOf, readIfExists, restrictToOwner, writePrivateFile } from './files.ts';
import type { Home } from './paths.ts';

/** A sign-in. `token` is null after signing out; the rest stays, so that calls can still be recorded. */
const profile = z.object({
  version: z.literal(1),
  server: z.url(),
  token: z.string().nullable(),
  /** The name of the spool's folder. It stays the same if only the server's address changes. */
  spool: z.string().regex(/^[\w.~-]+$/),
  user,
  customer: cliCustomer,
  seat: cliSeat,
  theme: cliTheme,
  /** Absent for a perpetual license. */
  term: licenseTerm.optional(),
  /** Absent if the license includes everything. */
  entitlements: licenseEntitlements.optional(),
  /** The floating seat at the last request, null for none; absent where seats are named. */
  lease: cliLease.nullable().optional(),
  /** Absent without a monthly quota. */
  callQuota: callQuotaUse.optional(),
});
/** A sign-in as the file of a profile stores it. `token` is null after a logout. */
export type Profile = z.infer<typeof profile>;

const settings = z.object({ version: z.literal(1), profile: z.string() });

/** The profile without `--profile` and `profiles use`. */
export const DEFAULT_PROFILE = 'default';
const PROFILE_HINT =
  'It is damaged or was written by another version. To replace it, run: latchkey login. Recorded calls are not affected.';
const SETTINGS_HINT = 'To replace it, choose a profile again: latchkey profiles use NAME';
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Reads and writes the profiles and tokens of a state directory. */
export type Profiles = Readonly<{
  /** The given name, else the one selected with `profiles use`, else `default`. */
  nameOf: (given: string | undefined) => Answer<string>;
  read: (name: string) => Answer<Profile | null>;
  write: (name: string, profile: Profile) => void;
  remove: (name: string) => void;
  list: () => readonly string[];
  use: (name: string) => void;
}>;

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');

/** Opens the profiles. A profile contains a token: if other users can read its file, `onOpen` is called with a warning. */
export const openProfiles = ({ config }: Home, onOpen: (warning: string) => void = () => {}): Profiles => {
  const directory = join(config, 'profiles');
  const settingsFile = join(config, 'config.json');
  const fileOf = (name: string) => join(directory, `${name}.json`);

  const parse = <Schema extends z.ZodType>(file: string, schema: Schema, hint: string): Answer<z.output<Schema> | null> => {
    const content = readIfExists(file);
    if (content === null) return { ok: true, value: null };
    try {
      const parsed = schema.safeParse(JSON.parse(content));
      if (parsed.success) return { ok: true, value: parsed.data };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return { ok: false, failure: failed('profile_unreadable', `${file} is not valid`, { hint }) };
  };

  const keepPrivate = (file: string): void => {
    try {
      const mode = restrictToOwner(file);
      if (mode === null) return;
      onOpen(
        `Other users could read ${file} (mode ${octal(mode)}). Its mode is now 0600. If someone may have read it, sign out and sign in again.`,
      );
    } catch (error) {
      if (!['EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) return; // reading the file reports the error
      onOpen(`Other users may be able to read ${file}, and its mode cannot be changed. Change it to 0600.`);
    }
  };

  return {
    nameOf: (given) => {
      if (given !== undefined && !NAME.test(given)) {
        const hint = 'Use at most 64 letters, digits, dots, dashes and underscores.';
        return { ok: false, failure: misused(`'${given}' is not a valid profile name.`, { hint }) };
      }
      if (given !== undefined) return { ok: true, value: given };
      const chosen = parse(settingsFile, settings, SETTINGS_HINT);
      return chosen.ok ? { ok: true, value: chosen.value?.profile ?? DEFAULT_PROFILE } : chosen;
    },
    read: (name) => {
      keepPrivate(fileOf(name));
      return parse(fileOf(name), profile, PROFILE_HINT);
    },
    write: (name, value) => writePrivateFile(fileOf(name), `${JSON.stringify(value, null, 2)}\n`),
    remove: (name) => rmSync(fileOf(name), { force: true }),
    list: () => {
      try {
        return readdirSync(directory)
          .filter((file) => file.endsWith('.json') && NAME.test(file.slice(0, -5)))
          .map((file) => file.slice(0, -5))
          .sort();
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return [];
        throw error;
      }
    },
    use: (name) => writePrivateFile(settingsFile, `${JSON.stringify({ version: 1, profile: name })}\n`),
  };
};
