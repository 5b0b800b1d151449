import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Kept for the stores' connections, logs and the console's files. */
const RESERVED = 256;
/** Fewer connections than this are worth a word at the start. */
const FEW = 4_096;
const LOG_INTERVAL_MS = 60_000;
const ADVICE = 'raise the limit of open files (ulimit -n, or LimitNOFILE of the service)';

/** The limit of open files of this process; null if it is unlimited or unknown. */
export const openFilesLimit = (): number | null => {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return Number.isInteger(limit) ? limit : null;
  } catch {
    return null; // not Linux
  }
};

/**
 * Takes so many connections that files remain for everything else, and turns the rest away with a line in the log instead of
 * failing at the next file that it opens. `limit` is that of `openFilesLimit`.
 */
export const boundConnections = (app: FastifyInstance, limit: number | null): void => {
  if (limit === null) return;
  const most = Math.max(1, limit - RESERVED);
  app.server.maxConnections = most;
  if (most < FEW) app.log.warn({ limit }, `At most ${most} tools and browsers can connect: ${ADVICE}`);
  let loggedAt = Number.NEGATIVE_INFINITY;
  app.server.on('drop', () => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    app.log.error({ limit }, `Rejecting connections, ${most} are open: ${ADVICE}`);
  });
};
