import { chown, readFile, stat } from 'node:fs/promises';
import { runToEnd } from './launch.ts';

/** The user and group that PostgreSQL runs as; null is whoever we are. */
export type Account = { uid: number; gid: number } | null;

export const weAreRoot = () => process.geteuid?.() === 0;

const nobody = async (): Promise<{ uid: number; gid: number }> => {
  const line = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
};

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the existing cluster, which lets a data
 * directory that an ordinary user made be served by root too, and a new cluster as `nobody`.
 */
export const accountFor = async (cluster: string): Promise<Account> => {
  if (!weAreRoot()) return null;
  const owner = await stat(cluster).catch(() => null);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody();
};

/** Gives a file or directory itself to the account; nothing below it. */
export const giveTo = async (account: Account, path: string): Promise<void> => {
  if (account) await chown(path, account.uid >>> 0, account.gid >>> 0); // macOS has nobody as -2, which chown wants unsigned
};

/** Gives a whole tree to the account, as after a restore that root made with `cp -r`. */
export const giveTreeTo = async (account: Account, path: string): Promise<void> => {
  if (account) await runToEnd('chown', ['-R', '-h', `${account.uid >>> 0}:${account.gid >>> 0}`, path], {});
};
