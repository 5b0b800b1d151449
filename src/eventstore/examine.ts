import { clusterOutage } from './gossip.ts';
import { describeOutage, type Outage, outageOf, READ_ALL } from './outage.ts';
import type { EventStoreUnavailable, StoreStatus } from './port.ts';
import { withTimeout } from './retry.ts';

/** A healthy node of two cores was measured to stall for 3 s under 20 concurrent reads. */
const PROBE_MS = 3_500;
const GOSSIP_MS = 800;

/** A second attempt finds the new leader after an election, and a connection that replaced a broken one. */
const probed = async (probe: () => Promise<void>): Promise<Outage | null> => {
  try {
    await withTimeout(PROBE_MS, probe().catch(probe));
    return null;
  } catch (error) {
    return outageOf(error);
  }
};

/**
 * Why the store cannot be used now; null if it can. `probe` reads from it, `appendFailure` is why the newest append failed. If it
 * does not reply, the nodes are asked which of them are alive.
 */
export const currentOutage = async (
  probe: () => Promise<void>,
  { url, appendFailure }: { url: string; appendFailure: EventStoreUnavailable | null },
): Promise<StoreStatus['outage']> => {
  const found = await probed(probe);
  const isSilent = found === 'unreachable' || found === 'no_leader';
  const kind = isSilent ? ((await clusterOutage(url, GOSSIP_MS)) ?? found) : found;
  if (kind) return { kind, text: describeOutage(kind, READ_ALL) };
  const appending = appendFailure?.outage;
  return appendFailure && (appending === 'access_denied' || appending === 'timeout')
    ? { kind: appending, text: appendFailure.message }
    : null;
};
