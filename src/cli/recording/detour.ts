import { batchesOf } from '../spool/batch.ts';
import type { Delivery } from '../spool/delivery.ts';
import type { Origin } from '../spool/lane.ts';

/** Sends lines straight to the server, for when the disk takes none. Sent again under the same numbers they count once. */
export const openDetour =
  (delivery: Delivery, origin: Origin) =>
  async (first: number, lines: readonly string[]): Promise<boolean> => {
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
