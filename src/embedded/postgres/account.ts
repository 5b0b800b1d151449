import { chown, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, runToEnd } from './launch.ts';

/** The system user that root creates for PostgreSQL alone, so that no other service shares its user id. */
export const DEDICATED_USER = 'latchkey-postgres';

/** Another process may be creating the user, or hold the lock of /etc/passwd. */
const CREATE_ATTEMPTS = 20;
const CREATE_RETRY_MS = 250;

export const isRoot = () => process.geteuid?.() === 0;

const userNamed = async (name: string): Promise<{ uid: number; gid: number } | null> => {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, , uid, gid] =
    passwd
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`))
      ?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
};

const nobody = async (): Promise<{ uid: number; gid: number }> => (await userNamed('nobody')) ?? { uid: 65534, gid: 65534 };

/** Creates the dedicated system user; null if `useradd` is missing or cannot write /etc/passwd. */
const createDedicatedUser = async (): Promise<{ uid: number; gid: number } | null> => {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
    const created = await runToEnd('useradd', [...args, DEDICATED_USER], {}).catch(() => null);
    const user = await userNamed(DEDICATED_USER);
    if (user) return user;
    if (!created || !/lock/i.test(created.output)) return null;
    await delay(CREATE_RETRY_MS);
  }
  return null;
};

/**
 * The account that runs PostgreSQL, which refuses to run as root. Root runs it as a dedicated system user, or as `nobody`, which
 * other services share, if no user can be created. A cluster of an ordinary user runs as that user. A cluster that a previous
 * version left to `nobody` or root changes to the dedicated user.
 */
export const accountFor = async (cluster: string): Promise<Account> => {
  if (!isRoot()) return null;
  const owner = await stat(cluster).catch(() => null);
  const shared = await nobody();
  if (owner && owner.uid !== 0 && owner.uid !== shared.uid >>> 0) return { uid: owner.uid, gid: owner.gid };
  return (await userNamed(DEDICATED_USER)) ?? (await createDedicatedUser()) ?? shared;
};

/** Whether other services of the machine may run as the account. */
export const isShared = async (account: Account): Promise<boolean> => account !== null && account.uid === (await nobody()).uid;

/** Changes the owner of a file or directory, but not of what is below it. */
export const changeOwner = async (account: Account, path: string): Promise<void> => {
  if (account) await chown(path, account.uid >>> 0, account.gid >>> 0); // nobody is -2 on macOS, and chown requires an unsigned id
};

/** Changes the owner of a whole tree. The top is changed last, so a tree whose top has the right owner is complete. */
export const changeTreeOwner = async (account: Account, path: string): Promise<void> => {
  if (account) await runToEnd('chown', ['-R', '-h', `${account.uid >>> 0}:${account.gid >>> 0}`, path], {});
};
