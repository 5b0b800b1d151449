import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { machineName } from '../../contracts/machines.ts';
import { readIfExists, writePrivateFileOnce } from './files.ts';
import type { Home } from './paths.ts';

/** The id of this machine for the server. Generated at the first use and stored. */
export const machineIdOf = ({ state }: Home): string => {
  const file = join(state, 'machine-id');
  const known = readIfExists(file)?.trim();
  if (known) return known;
  if (known === '') rmSync(file, { force: true });
  return writePrivateFileOnce(file, `${randomUUID()}\n`).trim();
};

/** The host name, which users recognize; undefined if it is empty or too long. */
export const machineNameOf = (): string | undefined => machineName.safeParse(hostname()).data;

const systemIdOf = (): string => (readIfExists('/etc/machine-id') ?? '').trim();

/**
 * Names this machine for offline licenses: 32 hexadecimal digits. It differs after the state directory is copied to another machine, if the
 * operating system has an id, and stays when the host is renamed.
 */
export const licenseFingerprintOf = (home: Home): string =>
  createHash('sha256')
    .update(`latchkey offline license\n${machineIdOf(home)}\n${systemIdOf()}`)
    .digest('hex')
    .slice(0, 32);

/** A hash of the host that differs after the home directory is copied to another machine. Neither secret nor permanent. */
export const fingerprint = (): string => createHash('sha256').update(`${hostname()}\n${systemIdOf()}`).digest('hex').slice(0, 32);
