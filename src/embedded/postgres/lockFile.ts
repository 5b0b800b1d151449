import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of postmaster.pid, which a running PostgreSQL writes. */
export type LockFile = {
  pid: number;
  /** The directory of its socket as configured: absolute, or `.` for the cluster; null without a socket. */
  socketDirectory: string | null;
  port: number;
  ready: boolean;
};

/** Reads postmaster.pid of a cluster; null if it is missing or incomplete (PostgreSQL writes it line by line). */
export const readLockFile = async (cluster: string): Promise<LockFile | null> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  const [pid, , , port, socketDirectory, , , status] = text?.split('\n') ?? [];
  if (!pid || !/^-?\d+$/.test(pid.trim())) return null;
  return {
    pid: Math.abs(Number(pid)), // negative for a single-user backend
    socketDirectory: socketDirectory?.trim() || null,
    port: Number(port),
    ready: status?.trim() === 'ready',
  };
};
