import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { machineName } from '../../contracts/machines.ts';
import { readIfThere, writePrivateFileOnce } from './files.ts';
import type { Home } from './paths.ts';

/** The id under which the server knows this machine. Made up at the first use and kept. */
export const machineIdOf = ({ state }: Home): string => {
  const file = join(state, 'machine-id');
  const known = readIfThere(file)?.trim();
  if (known) return known;
  if (known === '') rmSync(file, { force: true });
  return writePrivateFileOnce(file, `${randomUUID()}\n`).trim();
};

/** What people know this machine by: its host name. Undefined where that is empty or too long. */
export const machineNameOf = (): string | undefined => machineName.safeParse(hostname()).data;

/** Tells a machine from a copy of its home directory: another one has another value. Not secret, not unique for ever. */
export const fingerprint = (): string => {
  const systemId = readIfThere('/etc/machine-id') ?? '';
  return createHash('sha256').update(`${hostname()}\n${systemId.trim()}`).digest('hex').slice(0, 32);
};
