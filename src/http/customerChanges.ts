import type { Commands } from '../commands/commands.ts';
import type { UpdateCustomer } from '../contracts/customers.ts';
import type { SetRecords } from '../contracts/records.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import { customFieldsText } from '../domain/customer/records.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { resolveTheme } from './themeChoice.ts';

/** The records of a request as commands have them. Absent fields stay absent. */
export const recordsIn = ({ externalId, tags, notes, customFields }: SetRecords) => ({
  ...(externalId !== undefined && { externalId }),
  ...(tags !== undefined && { tags }),
  ...(notes !== undefined && { notes }),
  ...(customFields !== undefined && { customFields: customFieldsText(customFields) }),
});

const statusCommand = { active: 'ReactivateCustomer', suspended: 'SuspendCustomer', churned: 'ChurnCustomer' } as const;

type Limits = Readonly<{
  status?: keyof typeof statusCommand | undefined;
  reason?: string | null | undefined;
  developerSeats?: number | undefined;
  stakeholderSeats?: number | undefined;
  seatLimitsEnforced?: boolean | undefined;
  floatingDeveloperMinutes?: number | null | undefined;
}>;

/** The commands that change seats and their enforcement, as the changes of a customer have them. */
export const seatCommands = (
  customerId: CustomerId,
  { developerSeats, stakeholderSeats, seatLimitsEnforced, floatingDeveloperMinutes: minutes }: Limits,
  meta: EventMeta,
): CustomerCommand[] => [
  { type: 'AllocateSeats', data: { customerId, developerSeats, stakeholderSeats }, meta },
  ...(seatLimitsEnforced === undefined
    ? []
    : [{ type: seatLimitsEnforced ? 'EnforceSeatLimits' : 'RelaxSeatLimits', data: { customerId }, meta } as const]),
  ...(minutes === undefined ? [] : [{ type: 'SetFloatingSeats', data: { customerId, kind: 'developer', minutes }, meta } as const]),
];

/** The command that sets the status of a customer; none without one. */
export const statusCommands = (customerId: CustomerId, { status, reason = null }: Limits, meta: EventMeta): CustomerCommand[] =>
  status === undefined ? [] : [{ type: statusCommand[status], data: { customerId, reason }, meta }];

/** The commands that change a customer to what a request says. `themeOf` reads its present theme. Throws problems of the theme. */
export const customerChanges = async (
  commands: Commands,
  { customerId, integratorId }: { customerId: CustomerId; integratorId: IntegratorId },
  body: UpdateCustomer,
  { themeOf, meta }: { themeOf: () => string | null | Promise<string | null>; meta: EventMeta },
): Promise<CustomerCommand[]> => {
  const { name, contactEmail, company, theme, entitlements, machineLimit, callQuota, idleReleaseDays } = body;
  const changes: CustomerCommand[] = [
    { type: 'ChangeCustomerDetails', data: { customerId, name, contactEmail, company }, meta },
    { type: 'ChangeCustomerRecords', data: { customerId, ...recordsIn(body) }, meta },
    ...seatCommands(customerId, body, meta),
  ];
  if (entitlements !== undefined) changes.push({ type: 'SetLicenseEntitlements', data: { customerId, entitlements }, meta });
  if (machineLimit !== undefined) changes.push({ type: 'SetMachineLimit', data: { customerId, limit: machineLimit }, meta });
  if (callQuota !== undefined) changes.push({ type: 'SetCallQuota', data: { customerId, quota: callQuota }, meta });
  if (idleReleaseDays !== undefined) changes.push({ type: 'SetIdleRelease', data: { customerId, days: idleReleaseDays }, meta });
  if (theme === null) changes.push({ type: 'UnassignTheme', data: { customerId }, meta });
  else if (theme !== undefined && theme !== (await themeOf())) {
    const choice = await resolveTheme(commands, integratorId, theme);
    changes.push({ type: 'AssignTheme', data: { customerId, ...choice }, meta });
  }
  changes.push(...statusCommands(customerId, body, meta));
  return changes;
};
