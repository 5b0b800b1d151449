import { addressFrom, isListening, removeSocketDirectory } from './address.ts';
import { PostgresError } from './error.ts';
import { readLockFile } from './lockFile.ts';
import { lockingProcessOf, stopOrphanedServer } from './lockingProcess.ts';

/**
 * Stops the server and removes the socket of an earlier start. Returns the id of an unrelated process that postmaster.pid names. Throws
 * PostgresError if the cluster is in use.
 */
export const stopStaleServer = async (cluster: string, log: (line: string) => void): Promise<number | null> => {
  const lock = await readLockFile(cluster);
  const found = await lockingProcessOf(cluster, lock);
  if (found.kind === 'owned') {
    throw new PostgresError(
      'in_use',
      `${cluster} is in use by process ${found.owner} (its PostgreSQL is process ${found.pid}). Stop that process first, or choose another DATA_DIR.`,
    );
  }
  if (found.kind === 'orphaned') {
    log(`Stopping PostgreSQL ${found.pid}, left running by an earlier start`);
    await stopOrphanedServer(cluster, found.pid);
  }
  const address = lock && addressFrom(cluster, lock);
  if (address && (await isListening(address))) {
    if ((await readLockFile(cluster))?.pid !== lock.pid) return stopStaleServer(cluster, log); // a concurrent start has acquired the lock
    throw new PostgresError(
      'in_use',
      `${cluster} is in use by a PostgreSQL outside this container, probably another container on the same volume. Stop that one first.`,
    );
  }
  if (address) await removeSocketDirectory(address);
  return found.kind === 'unrelated' ? found.pid : null;
};

/**
 * PostgreSQL treats any live process in its lock file as the lock owner, except for the process id in PG_GRANDPARENT_PID. The file is
 * kept, so that PostgreSQL still checks whether its shared memory is in use.
 */
export const lockEnvironment = (unrelatedPid: number | null): Record<string, string> =>
  unrelatedPid === null ? {} : { PG_GRANDPARENT_PID: String(unrelatedPid) };
