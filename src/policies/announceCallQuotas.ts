import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import { isRegistered } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { monthOf } from '../domain/license/callQuota.ts';
import { CALL_QUOTA_POLICY } from '../projections/callQuotas/claims.ts';
import type { Queries } from '../projections/queries.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** Many customers reach their quotas at the same time, and many quotas are changed at the same time. */
const CONCURRENT = 8;
/** How soon the use is read again if the read model does not have all voids yet: counting days again takes seconds. */
const AGAIN_MS = 2_000;

/**
 * Records the parts of a monthly quota that a customer's calls reached, and which of them voids took back. A claim that reaches one leaves
 * a note, with its month, in the transaction of the claim; a new quota and a void leave one too. The customer's stream decides, so nothing
 * is recorded twice.
 */
export const announceCallQuotas = ({
  commands,
  callQuotas,
}: {
  commands: Pick<Commands, 'customers'>;
  callQuotas: Pick<Queries['callQuotas'], 'usedIn'>;
}): Policy =>
  policyOn({
    name: CALL_QUOTA_POLICY,
    eventTypes: ['ApiCallsVoided', 'CallQuotaSet', 'CustomerDeleted'],
    react: async ({ event, stream, meta }, { notes, now }) => {
      const isCounted = event.type === 'ApiCallsVoided' || (event.type === 'CallQuotaSet' && event.data.quota !== null);
      if (isCounted) await notes.put(ownerOf.customer(stream), monthOf(meta.at), new Date(now()));
      else await notes.remove(ownerOf.customer(stream));
    },
    concurrentDue: CONCURRENT,
    onDue: async ({ key, value: month }, { notes, metaFor, now }) => {
      const customerId = key as CustomerId; // of a note that a claim or an event left
      const use = await callQuotas.usedIn(customerId, month);
      if (use === null) return;
      const { state } = await commands.customers.load(customerId);
      if (isRegistered(state) && use.countedVoids < state.voids) await notes.put(key, month, new Date(now() + AGAIN_MS));
      else await commands.customers.handle({ type: 'AnnounceCallQuota', data: { customerId, month, ...use }, meta: metaFor(null) });
    },
  });
