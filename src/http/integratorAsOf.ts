import type { z } from 'zod';
import type { IntegratorAsOf } from '../commands/asOf.ts';
import type { asOfQuery, change, IntegratorAsOfReply } from '../contracts/history.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { HistoryReader } from '../projections/history/showing.ts';
import type { TenantHistory } from '../projections/historyOwner.ts';
import type { Queries } from '../projections/queries.ts';
import { changeOf } from './asOf.ts';
import { integratorAsWritten } from './asWritten.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';

type Change = z.infer<typeof change>;
type Shown = Omit<IntegratorAsOfReply, 'success' | 'at' | 'changes' | 'lastChange'>;

const MAX_LISTED = 500;

const shownOf = ({ state, registeredAt, themes: catalogue, team, position }: IntegratorAsOf): Shown => {
  const {
    domainVerified: _verified,
    domainExpiresAt: _expiry,
    releasedDomain: _released,
    ...account
  } = integratorAsWritten(state, registeredAt);
  const themes = [...catalogue.themes.values()].sort((one, other) => one.displayName.localeCompare(other.displayName));
  const members = [...team.members.values()].sort((one, other) => one.name.localeCompare(other.name));
  return {
    serviceIntegrator: account,
    policy: { ...team.policy },
    themes: themes.slice(0, MAX_LISTED).map(({ themeId, active, ...look }) => ({
      id: themeId,
      ...look,
      isDefault: catalogue.defaultThemeId === themeId,
      isActive: active,
    })),
    themeCount: themes.length,
    members: members.slice(0, MAX_LISTED).map(({ userId, name, email, role, status }) => ({ userId, name, email, role, status })),
    memberCount: members.length,
    position: position.toString(),
  };
};

const COMPARED = [
  'companyName',
  'contactEmail',
  'billingEmail',
  'masterLicenseKey',
  'status',
  'whiteLabelEnabled',
  'customDomain',
  'logoUrl',
] as const satisfies readonly (keyof Shown['serviceIntegrator'])[];

const themeText = ({ displayName, primaryColor, secondaryColor, accentColor, isDefault, isActive, description }: Theme): string =>
  [displayName, primaryColor, secondaryColor, accentColor, isDefault && 'default', !isActive && 'inactive', description]
    .filter((part) => part)
    .join(', ');
type Theme = Shown['themes'][number];

const memberText = ({ name, email, role, status }: Shown['members'][number]): string => [name, email, role, status].join(', ');

/** The changes of the objects of a list, which are equal where their texts are. */
const changesOfList = <T>(
  field: string,
  {
    before,
    after,
    idOf,
    textOf,
  }: { before: readonly T[]; after: readonly T[]; idOf: (one: T) => string; textOf: (one: T) => string },
): Change[] => {
  const [former, later] = [before, after].map((list) => new Map(list.map((one) => [idOf(one), textOf(one)])));
  const ids = new Set([...(former?.keys() ?? []), ...(later?.keys() ?? [])]);
  return [...ids].flatMap((id) => changeOf(field, former?.get(id) ?? null, later?.get(id) ?? null));
};

/** The differences of two states of a service integrator. */
const changesBetween = (before: Shown, after: Shown): Change[] => [
  ...COMPARED.flatMap((field) => changeOf(field, before.serviceIntegrator[field], after.serviceIntegrator[field])),
  ...changeOf('customers', before.serviceIntegrator.customerCount, after.serviceIntegrator.customerCount),
  ...changeOf('keySignIn', before.policy.keySignIn, after.policy.keySignIn),
  ...changeOf('secondFactorRequired', before.policy.secondFactorRequired, after.policy.secondFactorRequired),
  ...changesOfList('customTheme', { before: before.themes, after: after.themes, idOf: ({ id }) => id, textOf: themeText }),
  ...changesOfList('member', { before: before.members, after: after.members, idOf: ({ userId }) => userId, textOf: memberText }),
];

/**
 * A service integrator at an instant, who changed it last until then, and its differences from `compareTo` if given. Not found before its
 * registration. `of` is the history that the reader may read.
 */
export const showIntegratorAsOf = async (
  {
    integratorAsOf,
    queries,
    reader,
    of,
  }: Pick<HttpDeps, 'integratorAsOf'> & {
    queries: Queries;
    reader: HistoryReader;
    of: TenantHistory;
  },
  integratorId: IntegratorId,
  { at, compareTo }: z.infer<typeof asOfQuery>,
): Promise<IntegratorAsOfReply> => {
  const load = async (instant: string): Promise<Shown> => {
    const asOf = await integratorAsOf(integratorId, instant);
    if (!asOf) throw new HttpProblem('integrator_not_found');
    return shownOf(asOf);
  };
  const shown = await load(at);
  const changes = compareTo === undefined ? undefined : changesBetween(shown, await load(compareTo));
  const { history } = await queries.history.of(of, { to: at, automatic: 'false', limit: 1 }, reader);
  return { success: true, ...shown, at, lastChange: history[0] ?? null, ...(changes && { changes }) };
};
