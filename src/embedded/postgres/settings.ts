import { totalmem } from 'node:os';

const MB = 1_048_576;
const LEAST_BUFFERS_MB = 128;
const MOST_BUFFERS_MB = 1024;

/** A quarter of the memory that this process may have, within limits. `limit` is that of its container, 0 for none. */
export const sharedBuffersMb = (total: number, limit: number): number => {
  const memory = limit > 0 ? Math.min(total, limit) : total;
  return Math.min(MOST_BUFFERS_MB, Math.max(LEAST_BUFFERS_MB, Math.floor(memory / 4 / MB)));
};

/** Durable commits, a log without routine messages, and what short queries on cached pages need (decision 200). */
export const defaultSettings = (): Record<string, string> => ({
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_wal_size: '2GB',
  shared_buffers: `${sharedBuffersMb(totalmem(), process.constrainedMemory())}MB`,
  io_method: 'sync', // workers of their own cost more than to read pages that the kernel has
  random_page_cost: '1.1', // for SSDs and cached pages
  max_parallel_workers_per_gather: '0', // a new process reads all buffers of a statement for the first time, page by page
  jit: 'off', // compilation costs more than the short queries
});

const KEPT_BYTES = '8388608';

/**
 * Has each process of PostgreSQL keep up to 8 MB that a statement has freed. By default glibc returns more than 128 kB to the kernel, and
 * to get it back can take the next statement as long as its work.
 */
export const MEMORY_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: KEPT_BYTES, MALLOC_MMAP_THRESHOLD_: KEPT_BYTES };
