import { randomUUID } from 'node:crypto';
import { batchesOf } from './batch.ts';
import type { Delivery } from './delivery.ts';
import type { Origin } from './sourceSpool.ts';

export type Fallback = (first: number, lines: readonly string[]) => Promise<boolean>;

/**
 * Sends lines directly to the server if the disk cannot be written. The server counts lines that are sent again with the same numbers
 * once. Without `source`, the lines get a random source id.
 */
export const openFallback = (delivery: Delivery, source: string | null = null): Fallback => {
  const kind = source === null ? 'install' : 'run';
  const origin: Origin = { version: 1, sourceId: source ?? randomUUID(), kind, machine: '' };
  return async (first, lines) => {
    const content = Buffer.from(`${lines.join('\n')}\n`);
    delivery.restartRetries();
    try {
      for (const batch of batchesOf(content, first, first - 1, delivery.maxBytes)) {
        if (batch.count > 0 && (await delivery.deliver(origin, batch)) !== null) return false;
      }
      return true;
    } catch {
      return false; // The rejected calls could not be saved, so the caller reports all lines as not recorded.
    }
  };
};
