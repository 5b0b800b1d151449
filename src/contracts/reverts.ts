import { z } from 'zod';
import { alertRuleId, changeAlertRule } from './alerts.ts';
import { updateCustomer } from './customers.ts';
import { integratorId, themeId, userId } from './fields.ts';
import { change } from './history.ts';
import { updateIntegrator, updateWhiteLabel } from './integrators.ts';
import { changePlan } from './plans.ts';
import { ok } from './replies.ts';
import { changeMember, changePolicy } from './team.ts';
import { updateTheme } from './themes.ts';
import { updateUser } from './users.ts';

/**
 * What takes an event back: the body of `PUT …/customers/:customerId` or `PUT …/users/:userId`. `changes` are from the present values to
 * the former ones.
 */
export const revertReply = ok({
  revert: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('customer'), body: updateCustomer }),
    z.object({ kind: z.literal('user'), userId, username: z.string(), body: updateUser }),
  ]),
  changes: z.array(change),
});
export type RevertReply = z.infer<typeof revertReply>;

/**
 * What takes an event of a service integrator, a custom theme, the own team, the plans or the alert rules back: the body of the `PUT` that changes
 * the named object. That of a service integrator is for `PUT /api/service-integrator/profile` too, and that of
 * its brand for `PUT /api/service-integrator/white-label`.
 */
export const tenantRevertReply = ok({
  revert: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('integrator'), integratorId, name: z.string(), body: updateIntegrator }),
    z.object({ kind: z.literal('brand'), integratorId, name: z.string(), body: updateWhiteLabel }),
    z.object({ kind: z.literal('theme'), themeId, name: z.string(), body: updateTheme }),
    z.object({ kind: z.literal('member'), userId, name: z.string(), body: changeMember }),
    z.object({ kind: z.literal('policy'), body: changePolicy }),
    z.object({ kind: z.literal('plan'), code: z.string(), name: z.string(), body: changePlan }),
    z.object({ kind: z.literal('alertRule'), ruleId: alertRuleId, name: z.string(), body: changeAlertRule }),
  ]),
  changes: z.array(change),
});
export type TenantRevertReply = z.infer<typeof tenantRevertReply>;
