import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Kept for the stores' connections, logs and the console's files. */
const RESERVED = 256;
/** Fewer connections than this are worth a word at the start. */
const FEW = 4_096;
const TELL_MS = 60_000;
const ADVICE = 'raise the limit of open files (ulimit -n, or LimitNOFILE of the service)';

/** How many files this process may have open; null where that is unlimited or cannot be told. */
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
 * failing in whatever opens a file next. `limit` is that of `openFilesLimit`.
 */
export const boundConnections = (app: FastifyInstance, limit: number | null): void => {
  if (limit === null) return;
  const most = Math.max(1, limit - RESERVED);
  app.server.maxConnections = most;
  if (most < FEW) app.log.warn({ limit }, `At most ${most} tools and browsers can connect: ${ADVICE}`);
  let toldAt = Number.NEGATIVE_INFINITY;
  app.server.on('drop', () => {
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    app.log.error({ limit }, `Rejecting connections, ${most} are open: ${ADVICE}`);
  });
};
