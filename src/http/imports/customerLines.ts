import type { FastifyRequest } from 'fastify';
import { enrolCustomer, enrolInBatches } from '../../commands/enrolCustomer.ts';
import { setCallQuota } from '../../contracts/callQuotas.ts';
import { cellValueOf } from '../../contracts/csv.ts';
import {
  createCustomerAsAdmin,
  createCustomerAsIntegrator,
  type UpdateCustomer,
  updateCustomer,
} from '../../contracts/customers.ts';
import { accountStatus, customerId as customerIdOf, seatCount, themeId as themeIdOf } from '../../contracts/fields.ts';
import { planMoveQuery } from '../../contracts/plans.ts';
import { setTerm } from '../../contracts/terms.ts';
import type { CustomerCommand, MoveToPlan } from '../../domain/customer/commands.ts';
import { customerDecider } from '../../domain/customer/decider.ts';
import type { Customer } from '../../domain/customer/state.ts';
import { decideInOrder } from '../../domain/decider.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { DEFAULT_PLAN } from '../../domain/limits.ts';
import { builtinThemes } from '../../domain/theme/builtin.ts';
import { customerOwner } from '../../security/owner.ts';
import { customerAsWritten } from '../asWritten.ts';
import { customerChanges, statusCommands } from '../customerChanges.ts';
import { newCustomerOf, unusedLicenseKey } from '../customerWrites.ts';
import type { HttpDeps } from '../deps.ts';
import { cellTextsOf } from '../export.ts';
import { claimingExternalId } from '../externalIds.ts';
import { CUSTOMER_COLUMNS } from '../listExport.ts';
import { resolvePlan } from '../planChoice.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted } from '../replies.ts';
import { followUp } from '../requests/meta.ts';
import {
  asBoolean,
  asChoice,
  asEntitlements,
  asInstant,
  asJson,
  asNumber,
  asNumberOrNone,
  asTags,
  asText,
  asTheme,
  type CellFields,
  fieldsOf,
  isNone,
} from './cells.ts';
import { type FileLine, valueIn } from './csvFile.ts';
import {
  changedCells,
  checked,
  columnBy,
  differingColumns,
  type Importer,
  type PlannedLine,
  refuseColumn,
  UNCHANGED,
} from './line.ts';
import { type ExistingCustomer, importedCustomers } from './owners.ts';

const FIELDS: CellFields = {
  name: ['name', asText],
  contact_email: ['contactEmail', asText],
  company: ['company', asText],
  status: ['status', asChoice],
  theme: ['theme', asTheme],
  developer_seats: ['developerSeats', asNumber],
  stakeholder_seats: ['stakeholderSeats', asNumber],
  seat_limits_enforced: ['seatLimitsEnforced', asBoolean],
  external_id: ['externalId', asText],
  tags: ['tags', asTags],
  notes: ['notes', asText],
  custom_fields: ['customFields', asJson],
  entitlements: ['entitlements', asEntitlements],
  floating_developer_minutes: ['floatingDeveloperMinutes', asNumberOrNone],
  idle_release_days: ['idleReleaseDays', asNumberOrNone],
  machine_limit: ['machineLimit', asNumberOrNone],
};
const TERM_FIELDS: CellFields = {
  license_starts_at: ['startsAt', asInstant],
  license_expires_at: ['expiresAt', asInstant],
  license_grace_days: ['graceDays', asNumber],
  license_trial: ['isTrial', asBoolean],
};
const QUOTA_FIELDS: CellFields = {
  call_quota: ['limit', asNumber],
  call_quota_kind: ['kind', asChoice],
};
const COLUMNS = Object.keys(CUSTOMER_COLUMNS);
const TERM_COLUMNS = Object.keys(TERM_FIELDS);
const QUOTA_COLUMNS = Object.keys(QUOTA_FIELDS);
const CHANGEABLE = [...Object.keys(FIELDS), ...TERM_COLUMNS, ...QUOTA_COLUMNS];
/** The columns whose changes a result shows. */
const SHOWN = [...CHANGEABLE, 'tier'];
/** What a new license cannot be issued with. */
const AFTERWARDS = ['status', 'idle_release_days', 'machine_limit'];
const CREATED = Object.keys(FIELDS).filter((column) => !AFTERWARDS.includes(column));
const OTHER_FIELDS: CellFields = {
  tier: ['plan', asText],
  service_integrator_id: ['serviceIntegratorId', asText],
};

const afterwards = updateCustomer.pick({ status: true, idleReleaseDays: true, machineLimit: true });

const chosenPlan = planMoveQuery.pick({ plan: true });

const newCustomer = {
  admin: createCustomerAsAdmin,
  integrator: createCustomerAsIntegrator.extend({
    developerSeats: seatCount.optional(),
    stakeholderSeats: seatCount.optional(),
    seatLimitsEnforced: createCustomerAsAdmin.shape.seatLimitsEnforced,
  }),
} as const;

/** The state after commands; the same one if they change nothing. Throws the refusal. */
const stateAfter = (commands: readonly CustomerCommand[], state: Customer): Customer => {
  const decision = decideInOrder(customerDecider, commands, state);
  if (!decision.accepted) throw new HttpProblem(decision.refusal);
  return decision.events.length === 0 ? state : (decision.state as Customer);
};

/** The term that a line gives a license; null to make it perpetual, undefined to keep what there is. */
const termIn = (line: FileLine, columns: readonly string[], present: Customer['term']) => {
  const expires = valueIn(line, 'license_expires_at');
  if (isNone(expires)) return null;
  const fields = fieldsOf(line, TERM_FIELDS, columns);
  const isPerpetual = present === null && expires === '' && fields.startsAt === undefined;
  if (isPerpetual || Object.keys(fields).length === 0) return undefined;
  return checked(setTerm, { ...present, ...fields });
};

/** The quota that a line gives a license; null to remove it, undefined to keep what there is. A new one without a kind is hard. */
const quotaIn = (line: FileLine, columns: readonly string[], present: Customer['callQuota']) => {
  const limit = valueIn(line, 'call_quota');
  if (isNone(limit)) return null;
  const fields = fieldsOf(line, QUOTA_FIELDS, columns);
  const isUnlimited = present === null && limit === '';
  return isUnlimited || Object.keys(fields).length === 0
    ? undefined
    : checked(setCallQuota, { kind: 'hard', ...present, ...fields });
};

/** Reads lines of customers: those with an id or a known external id are changed, the others are created with their external id. */
export const customerImporter = (deps: HttpDeps, request: FastifyRequest): Importer => {
  const { commands } = deps;
  const customers = importedCustomers(deps, request);
  const enrol = enrolInBatches(commands);

  /** Files have the name that a theme is shown with; a request has the name of a built-in one, or the id. */
  const themeNamed = async (integratorId: IntegratorId, shown: string): Promise<string> => {
    const builtin = builtinThemes.find(({ displayName }) => displayName === shown);
    if (builtin) return builtin.name;
    const themes = await customers.themesOf(integratorId);
    return themes.find(({ displayName }) => displayName === shown)?.themeId ?? shown;
  };

  const withTheme = async (fields: Record<string, unknown>, integratorId: IntegratorId): Promise<Record<string, unknown>> =>
    typeof fields.theme === 'string' ? { ...fields, theme: await themeNamed(integratorId, fields.theme) } : fields;

  const cellsOf = async (state: Customer, at: string): Promise<Readonly<Record<string, string>>> => {
    const themeId = themeIdOf.safeParse(state.theme?.theme);
    const themes = themeId.success ? await customers.themesOf(state.integratorId) : [];
    const themeName = themes.find((theme) => theme.themeId === themeId.data)?.displayName ?? null;
    return cellTextsOf(CUSTOMER_COLUMNS, customerAsWritten(state, { integratorName: '', themeName, createdAt: at, at }));
  };

  const planNew = async (line: FileLine, integratorId: IntegratorId, meta: EventMeta): Promise<PlannedLine> => {
    if (!valueIn(line, 'external_id')) {
      refuseColumn('external_id', 'A new customer needs an external ID, so that importing the file again changes nothing');
    }
    const plan = valueIn(line, 'tier');
    const asked = { ...(await withTheme(fieldsOf(line, FIELDS, CREATED), integratorId)), ...(plan && { plan }) };
    const wanted = customers.isAdmin
      ? checked(newCustomer.admin, { ...asked, serviceIntegratorId: integratorId })
      : checked(newCustomer.integrator, asked);
    const planned = await newCustomerOf(commands, { ...wanted, integratorId }, meta.at);
    const term = termIn(line, TERM_COLUMNS, planned.term ?? null);
    const callQuota = quotaIn(line, QUOTA_COLUMNS, planned.callQuota ?? null);
    const customer = {
      ...planned,
      ...(term !== undefined && { term: term ? { ...term, startsAt: term.startsAt ?? meta.at } : undefined }),
      ...(callQuota !== undefined && { callQuota }),
      ...(isNone(valueIn(line, 'theme')) && { theme: null }),
    };
    const { status, idleReleaseDays, machineLimit } = checked(afterwards, fieldsOf(line, FIELDS, AFTERWARDS));
    const customerId = customerIdOf.parse(deps.newId());
    const register = (licenseKey: string) =>
      ({ type: 'RegisterCustomer', data: { ...customer, customerId, licenseKey }, meta }) as const;
    const decision = customerDecider.decide(register(''), customerDecider.initial);
    if (!decision.accepted) throw new HttpProblem(decision.refusal);
    const run = async (): Promise<void> => {
      // The data key is created before its event waits for its turn in the stream of the service integrator.
      const [licenseKey] = await Promise.all([
        unusedLicenseKey(deps, customer.plan?.code ?? DEFAULT_PLAN),
        deps.vault.keyFor(customerOwner(customerId)),
      ]);
      accepted(await enrolCustomer(commands, register(licenseKey), { enrol, isNewId: true }));
      const later = followUp(meta, 'status');
      const others: CustomerCommand[] = [
        ...(idleReleaseDays ? [{ type: 'SetIdleRelease' as const, data: { customerId, days: idleReleaseDays }, meta: later }] : []),
        ...(machineLimit ? [{ type: 'SetMachineLimit' as const, data: { customerId, limit: machineLimit }, meta: later }] : []),
        ...statusCommands(customerId, { status: status === accountStatus.enum.active ? undefined : status }, later),
      ];
      if (others.length > 0) accepted(await commands.customers.handle(others));
    };
    return { effect: 'created', changes: [], run };
  };

  const refuseMoves = (line: FileLine, { integratorId }: Customer): void => {
    const owner = valueIn(line, 'service_integrator_id');
    if (owner && owner.toLowerCase() !== integratorId) {
      refuseColumn('service_integrator_id', 'An import cannot move a customer to another service integrator');
    }
  };

  /** The command for another plan than that of the license; null for the same one. What else the line says replaces what the plan gives. */
  const moveIn = async (line: FileLine, { customerId, tier }: Customer, meta: EventMeta): Promise<MoveToPlan | null> => {
    const typed = valueIn(line, 'tier');
    if (!typed || typed.toUpperCase() === tier) return null;
    if (!customers.isAdmin) {
      refuseColumn('tier', 'Only administrators change the plan of a license. Leave the cell empty, or as it was exported');
    }
    const { plan: code } = checked(chosenPlan, { plan: typed });
    const plan = (await resolvePlan(commands, code)) ?? null;
    return { type: 'MoveToPlan', data: { customerId, plan, term: 'keep' }, meta };
  };

  const planChange = async (line: FileLine, { state, revision }: ExistingCustomer, meta: EventMeta): Promise<PlannedLine> => {
    refuseMoves(line, state);
    const { customerId, integratorId } = state;
    const before = await cellsOf(state, meta.at);
    const move = await moveIn(line, state, meta);
    const moved = move ? stateAfter([move], state) : state;
    const different = differingColumns(line, move ? await cellsOf(moved, meta.at) : before, CHANGEABLE);
    if (different.length === 0 && !move) return UNCHANGED;
    const fields = await withTheme(fieldsOf(line, FIELDS, different), integratorId);
    const body: UpdateCustomer = checked(updateCustomer, {
      name: state.name,
      contactEmail: state.contactEmail,
      ...fields,
      callQuota: quotaIn(line, different, moved.callQuota),
    });
    const changes = await customerChanges(commands, moved, body, { themeOf: () => state.theme?.theme ?? null, meta });
    const term = different.some((column) => column in TERM_FIELDS) ? termIn(line, different, moved.term) : undefined;
    const termChange: CustomerCommand[] =
      term === undefined
        ? []
        : [
            term === null
              ? { type: 'RemoveLicenseTerm', data: { customerId }, meta }
              : { type: 'SetLicenseTerm', data: { ...term, customerId }, meta },
          ];
    const all = [...(move ? [move] : []), ...changes, ...termChange];
    const decided = stateAfter(all, state);
    if (decided === state) return UNCHANGED;
    if (body.externalId) await customers.expectFree(integratorId, body.externalId, customerId);
    const after = await cellsOf(decided, meta.at);
    const run = async (): Promise<void> => {
      await claimingExternalId(commands, state, { externalId: body.externalId, meta }, async (condition) =>
        accepted(await commands.customers.handle(all, { ...condition, ifRevision: revision })),
      );
    };
    return { effect: 'changed', changes: changedCells(before, after, SHOWN), run };
  };

  return {
    columns: COLUMNS,
    isCumulative: false,
    columnOf: columnBy(COLUMNS, FIELDS, TERM_FIELDS, QUOTA_FIELDS, OTHER_FIELDS),
    nameOf: (line) => valueIn(line, 'name') ?? '',
    keysOf: (line) => {
      const owner = valueIn(line, 'service_integrator_id') ?? '';
      const [id, externalId] = [valueIn(line, 'id')?.toLowerCase(), cellValueOf(line.cells.external_id ?? '').trim()];
      return [...(id ? [['id', id] as const] : []), ...(externalId ? [['external_id', `${owner} ${externalId}`] as const] : [])];
    },
    plan: async (line, meta) => {
      const existing = await customers.find(line, { id: 'id', externalId: 'external_id' }, 'Leave it empty to create one');
      return existing ? planChange(line, existing, meta) : planNew(line, await customers.integratorOf(line), meta);
    },
  };
};
