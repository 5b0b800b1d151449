import { randomUUID } from 'node:crypto';
import { batchesOf } from './batch.ts';
import type { Delivery } from './delivery.ts';
import type { Origin } from './lane.ts';

export type Detour = (first: number, lines: readonly string[]) => Promise<boolean>;

/**
 * Sends lines straight to the server, for when the disk takes none. Sent again under the same numbers they count once.
 * `source` names them; otherwise they get a source of their own.
 */
export const openDetour = (delivery: Delivery, source: string | null = null): Detour => {
  const kind = source === null ? 'install' : 'run';
  const origin: Origin = { version: 1, sourceId: source ?? randomUUID(), kind, machine: '' };
  return async (first, lines) => {
    const content = Buffer.from(`${lines.join('\n')}\n`);
    delivery.begin();
    try {
      for (const batch of batchesOf(content, first, first - 1, delivery.maxBytes)) {
        if (batch.count > 0 && (await delivery.deliver(origin, batch)) !== null) return false;
      }
      return true;
    } catch {
      return false; // What the server refused could not be kept: the caller reports all of it as not recorded.
    }
  };
};
