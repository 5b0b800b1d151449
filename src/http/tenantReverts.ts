import type { FastifyRequest } from 'fastify';
import type { AuditEntry } from '../contracts/audit.ts';
import { entitlementsText } from '../contracts/entitlementLines.ts';
import type { TenantRevertReply } from '../contracts/reverts.ts';
import type { IntegratorId, TeamId } from '../domain/ids.ts';
import { inverseOf as integratorInverse } from '../domain/integrator/inverse.ts';
import type { NoInverse } from '../domain/inverse.ts';
import { callQuotaText } from '../domain/license/callQuota.ts';
import { type Entitlements, orderedEntitlements } from '../domain/license/entitlements.ts';
import { inverseOf as alertRuleInverse } from '../domain/operations/inverse.ts';
import type { PlanTerms } from '../domain/plan/events.ts';
import { inverseOf as planInverse } from '../domain/plan/inverse.ts';
import { planTermsOf } from '../domain/plan/terms.ts';
import { inverseOf as teamInverse } from '../domain/team/inverse.ts';
import { inverseOf as themeInverse } from '../domain/theme/inverse.ts';
import type { HttpDeps } from './deps.ts';
import { principalAs, teamOf } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { isSame } from './reverts.ts';

type Deps = Pick<HttpDeps, 'commands' | 'tenantChanges'>;
type Preview = Omit<TenantRevertReply, 'success'>;
type Kind = Preview['revert']['kind'];

const orThrow = <Inverse extends object>(inverse: Inverse | NoInverse): Inverse => {
  if (typeof inverse === 'string') throw new HttpProblem(inverse);
  return inverse;
};

/** Changes from the present values of an object to former ones. */
const changesOf = (now: object, former: object): Preview['changes'] =>
  Object.entries(former).map(([field, after]) => ({ field, before: Reflect.get(now, field), after }));

/** What takes an event of a service integrator back: the body that changes all of it, or its brand. Throws `entry_not_found`, `revert_unsupported` and `revert_outdated`, as all below. */
const revertOfIntegrator = async (
  { commands, tenantChanges }: Deps,
  integratorId: IntegratorId,
  reverts: string,
  body: 'integrator' | 'brand',
): Promise<Preview> => {
  const change = found(await tenantChanges.integrator(integratorId, reverts), 'entry_not_found');
  const { state: now } = await commands.integrators.load(integratorId);
  if (!('companyName' in now)) throw new HttpProblem('integrator_not_found');
  if (!('companyName' in change.before)) throw new HttpProblem('revert_unsupported');
  const changes = orThrow(integratorInverse(change.event, change.before, now));
  const isOfBrand = 'whiteLabelEnabled' in changes || 'customDomain' in changes || 'logoUrl' in changes;
  if (isOfBrand && now.status === 'churned') throw new HttpProblem('integrator_churned');
  const { companyName, contactEmail, billingEmail, whiteLabelEnabled, customDomain, logoUrl } = now;
  const named = { integratorId, name: companyName };
  const changed = changesOf(now, changes);
  return body === 'brand'
    ? {
        revert: { kind: body, ...named, body: { whiteLabelEnabled, customDomain, logoUrl, ...changes, reverts } },
        changes: changed,
      }
    : {
        revert: { kind: body, ...named, body: { companyName, contactEmail, billingEmail, ...changes, reverts } },
        changes: changed,
      };
};

const revertOfTheme = async ({ commands, tenantChanges }: Deps, integratorId: IntegratorId, reverts: string): Promise<Preview> => {
  const { event, before } = found(await tenantChanges.theme(integratorId, reverts), 'entry_not_found');
  const { state } = await commands.themes.load(integratorId);
  const { theme, changes } = orThrow(themeInverse(event, before, state));
  const { themeId, displayName, description, primaryColor, secondaryColor, accentColor, active: isActive } = theme;
  const look = { displayName, description, primaryColor, secondaryColor, accentColor };
  const now = { ...look, isActive, isDefault: state.defaultThemeId === themeId };
  const body = { ...look, isDefault: false, ...changes, reverts };
  return { revert: { kind: 'theme', themeId, name: displayName, body }, changes: changesOf(now, changes) };
};

const revertOfTeam = async ({ commands, tenantChanges }: Deps, teamId: TeamId, reverts: string): Promise<Preview> => {
  // Members and the policy of another team are changed by that team alone.
  const { event, before } = found(await tenantChanges.team(teamId, reverts), 'revert_unsupported');
  const { state: now } = await commands.teams.load(teamId);
  const inverse = orThrow(teamInverse(event, before, now));
  if (inverse.kind === 'policy') {
    const { changes } = inverse;
    return { revert: { kind: 'policy', body: { ...changes, reverts } }, changes: changesOf(now.policy, changes) };
  }
  const { changes } = inverse;
  const member = found(now.members.get(inverse.userId), 'member_not_found');
  const { userId, name } = member;
  return { revert: { kind: 'member', userId, name, body: { ...changes, reverts } }, changes: changesOf(member, changes) };
};

const revertOfAlertRule = async ({ commands, tenantChanges }: Deps, reverts: string): Promise<Preview> => {
  const { event, before } = found(await tenantChanges.alertRule(reverts), 'entry_not_found');
  const { state } = await commands.alerts.load('alerts');
  const { rule, changes } = orThrow(alertRuleInverse(event, before, state));
  const { ruleId, name, metric, threshold, forSeconds } = rule;
  const body = { name, metric, threshold, forSeconds, ...changes, reverts };
  return { revert: { kind: 'alertRule', ruleId, name, body }, changes: changesOf(rule, changes) };
};

/** A term of a plan as the history shows it. */
const shownTerms = ({ name, entitlements, callQuota, ...terms }: Partial<PlanTerms>): object => ({
  ...(name !== undefined && { planName: name }),
  ...terms,
  ...(entitlements !== undefined && { entitlements: entitlementsText(entitlements) }),
  ...(callQuota !== undefined && { callQuota: callQuotaText(callQuota) }),
});

const revertOfPlan = async ({ commands, tenantChanges }: Deps, reverts: string): Promise<Preview> => {
  const { event, before } = found(await tenantChanges.plan(reverts), 'entry_not_found');
  const { state } = await commands.plans.load('plans');
  const inverse = planInverse(event, before, state);
  if (typeof inverse === 'string') throw new HttpProblem(inverse);
  const { plan, changes } = inverse;
  const { entitlements, callQuota, ...terms } = { ...planTermsOf(plan), ...changes };
  const body = {
    ...terms,
    entitlements: entitlements === null ? null : entitlements.map((entitlement) => ({ ...entitlement })),
    callQuota: callQuota && { ...callQuota },
    reverts,
  };
  return {
    revert: { kind: 'plan', code: plan.code, name: plan.name, body },
    changes: changesOf(shownTerms(planTermsOf(plan)), shownTerms(changes)),
  };
};

/** What takes an entry of the audit page back, other than of a customer. */
export const previewTenantRevert = async (
  deps: Deps,
  request: FastifyRequest,
  { id, type, integrator }: Pick<AuditEntry, 'id' | 'type' | 'integrator'>,
): Promise<Preview> => {
  const owner = principalAs(request, 'admin', 'integrator');
  switch (type) {
    case 'IntegratorProfileChanged':
    case 'IntegratorSuspended':
    case 'IntegratorReactivated':
    case 'IntegratorChurned':
      return revertOfIntegrator(deps, found(integrator, 'entry_not_found').integratorId, id, 'integrator');
    case 'BrandingChanged':
    case 'WhiteLabelEnabled':
    case 'WhiteLabelDisabled': {
      const body = owner.kind === 'integrator' ? 'brand' : 'integrator';
      return revertOfIntegrator(deps, found(integrator, 'entry_not_found').integratorId, id, body);
    }
    case 'ThemeRevised':
    case 'ThemeActivated':
    case 'ThemeDeactivated':
    case 'ThemeMadeDefault':
      if (owner.kind === 'integrator') return revertOfTheme(deps, owner.integratorId, id);
      break; // the service integrator alone changes its themes
    case 'MemberDetailsChanged':
    case 'MemberRoleChanged':
    case 'SignInPolicyChanged':
      return revertOfTeam(deps, teamOf(owner), id);
    case 'PlanChanged':
      return revertOfPlan(deps, id);
    case 'AlertRuleChanged':
      return revertOfAlertRule(deps, id);
  }
  throw new HttpProblem('revert_unsupported');
};

/** The id of the object that a revert changes; none for a policy. */
const objectOf = (revert: Preview['revert']): string | undefined => {
  switch (revert.kind) {
    case 'integrator':
    case 'brand':
      return revert.integratorId;
    case 'theme':
      return revert.themeId;
    case 'member':
      return revert.userId;
    case 'plan':
      return revert.code;
    case 'alertRule':
      return revert.ruleId;
    case 'policy':
      return undefined;
  }
};

/** Throws `revert_differs` unless the body, for the object with the id, is exactly what the preview says. */
const expectSame = ({ revert }: Preview, kind: Kind, body: object, objectId?: string): void => {
  if (revert.kind !== kind || objectOf(revert) !== objectId || !isSame(body, revert.body)) throw new HttpProblem('revert_differs');
};

type Reverting = Readonly<{ reverts?: string | undefined }>;

/** Throws unless a body that names a reverted event is exactly what takes it back, so that the history can rely on the reference. */
export const expectTenantRevert = {
  integrator: async (deps: Deps, integratorId: IntegratorId, body: Reverting): Promise<void> => {
    if (body.reverts === undefined) return;
    const kind = 'companyName' in body ? 'integrator' : 'brand';
    expectSame(await revertOfIntegrator(deps, integratorId, body.reverts, kind), kind, body, integratorId);
  },
  theme: async (deps: Deps, integratorId: IntegratorId, themeId: string, body: Reverting): Promise<void> => {
    if (body.reverts === undefined) return;
    expectSame(await revertOfTheme(deps, integratorId, body.reverts), 'theme', body, themeId);
  },
  member: async (deps: Deps, teamId: TeamId, userId: string, body: Reverting): Promise<void> => {
    if (body.reverts === undefined) return;
    expectSame(await revertOfTeam(deps, teamId, body.reverts), 'member', body, userId);
  },
  policy: async (deps: Deps, teamId: TeamId, body: Reverting): Promise<void> => {
    if (body.reverts === undefined) return;
    expectSame(await revertOfTeam(deps, teamId, body.reverts), 'policy', body);
  },
  plan: async (deps: Deps, code: string, body: Reverting & { entitlements?: Entitlements | undefined }): Promise<void> => {
    if (body.reverts === undefined) return;
    const { entitlements } = body;
    const asked = entitlements === undefined ? body : { ...body, entitlements: orderedEntitlements(entitlements) };
    expectSame(await revertOfPlan(deps, body.reverts), 'plan', asked, code);
  },
  alertRule: async (deps: Deps, ruleId: string, body: Reverting): Promise<void> => {
    if (body.reverts === undefined) return;
    expectSame(await revertOfAlertRule(deps, body.reverts), 'alertRule', body, ruleId);
  },
};
