import { clusterOutage } from './gossip.ts';
import { type Outage, outageOf } from './outage.ts';
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
 * Why the store cannot be used now; null if it can. `probe` reads from it, `appendOutage` is why the newest append failed. If it does
 * not reply, the nodes are asked which of them are alive.
 */
export const currentOutage = async (
  probe: () => Promise<void>,
  { url, appendOutage }: { url: string; appendOutage: Outage | null },
): Promise<Outage | null> => {
  const found = await probed(probe);
  if (found === 'unreachable' || found === 'no_leader') return (await clusterOutage(url, GOSSIP_MS)) ?? found;
  if (found) return found;
  return appendOutage === 'access_denied' || appendOutage === 'timeout' ? appendOutage : null;
};
