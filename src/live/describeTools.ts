import type { CallQuotaUse } from '../contracts/callQuotas.ts';
import { mayUseTool, seatKindOf } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { HttpDeps } from '../http/deps.ts';
import { themeForTerminal } from '../http/themeChoice.ts';
import { describeTool, type ToolSession } from '../http/tool.ts';
import { shownEntitlements } from '../projections/customers/entitlements.ts';
import { shownTerm } from '../projections/customers/term.ts';

type Owner = Readonly<{ userId: UserId; customerId: CustomerId }>;
type Waiting = { owner: Owner; done: (described: ToolSession | Promise<ToolSession>) => void; failed: (error: unknown) => void };

const BATCH = 250;

/**
 * Loads the user, seat and theme of tools for their welcome frames, with one query of the read models for all that wait. Reads the
 * customer's stream where the read models lack the user, or say that the tool may not work. Throws `HttpProblem`, as `describeTool`.
 */
export const describeTools = (
  deps: Pick<HttpDeps, 'systemQueries' | 'commands' | 'seatUses' | 'now'>,
): ((owner: Owner) => Promise<ToolSession>) => {
  const { systemQueries: queries, commands, seatUses, now } = deps;
  let waiting: Waiting[] = [];
  let asking = false;

  const known = async (owners: readonly Owner[]): Promise<(owner: Owner) => Promise<ToolSession>> => {
    const users = await queries.tools.users(owners.map(({ userId }) => userId));
    const quotas = new Map<CustomerId, Promise<CallQuotaUse | null>>();
    const themes = new Map<string | null, ReturnType<typeof themeForTerminal>>();
    return async (owner) => {
      const found = users.get(owner.userId);
      if (found?.user.status !== 'active' || !mayUseTool(found.user.role) || found.customer.status !== 'active')
        return describeTool({ queries, systemQueries: queries, commands, seatUses }, owner, new Date(now()).toISOString());
      const { user, customer } = found;
      const theme = themes.get(customer.theme) ?? themeForTerminal(queries, customer.theme);
      themes.set(customer.theme, theme);
      const at = new Date(now()).toISOString();
      const quota = customer.callQuota && (quotas.get(customer.id) ?? queries.callQuotas.use(customer.id, at));
      if (quota) quotas.set(customer.id, quota);
      const callQuota = await quota;
      const kind = seatKindOf(user.role);
      return {
        user: { ...user, currentlyConnected: false, pendingMachines: found.pendingMachines },
        customer: { id: customer.id, name: customer.name, status: customer.status },
        theme: await theme,
        seat: { kind, ...customer.seats[kind] },
        ...shownTerm(customer.term, at),
        ...shownEntitlements(customer.entitlements),
        ...(callQuota && { callQuota }),
      };
    };
  };

  const ask = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        const describe = await known(batch.map(({ owner }) => owner));
        for (const { owner, done } of batch) done(describe(owner));
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
  };

  return (owner) =>
    new Promise((done, failed) => {
      waiting.push({ owner, done, failed });
      if (asking) return;
      asking = true;
      void ask().finally(() => {
        asking = false;
      });
    });
};
