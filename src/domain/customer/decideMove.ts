import { accept, type Decision, refuse } from '../decider.ts';
import { builtinTheme } from '../theme/builtin.ts';
import type { MoveCustomer } from './commands.ts';
import type { CustomerEvent } from './events.ts';
import { isSameRecords, NO_RECORDS } from './records.ts';
import type { Customer } from './state.ts';

/** Why a customer does not move to another service integrator. None of the reasons goes away, as moves are numbered. */
export type MoveRefusal = 'same_integrator' | 'customer_moved';

/**
 * Moves a customer to another service integrator, which has begun the move. What is of the former one alone, a custom theme and with
 * `clear` the records, ends before. Moving it again by the same move is a no-op. The external id becomes the one that was claimed with the
 * new service integrator, whatever it was changed to since.
 */
export const moveCustomer = ({ data }: MoveCustomer, customer: Customer): Decision<CustomerEvent, MoveRefusal> => {
  const { integratorId, move, externalId } = data;
  if (customer.moves + 1 !== move) {
    return customer.moves === move && customer.integratorId === integratorId ? accept() : refuse('customer_moved');
  }
  if (customer.integratorId === integratorId) return refuse('same_integrator');
  const records = data.records === 'keep' ? { ...customer.records, externalId } : NO_RECORDS;
  const hasCustomTheme = customer.theme !== null && !builtinTheme(customer.theme.theme);
  const { tags, notes, customFields } = records;
  return accept<CustomerEvent>(
    ...(isSameRecords(records, customer.records)
      ? []
      : [{ type: 'CustomerRecordsChanged' as const, data: { externalId: records.externalId, tags, notes, customFields } }]),
    ...(hasCustomTheme ? [{ type: 'ThemeUnassigned' as const, data: {} }] : []),
    { type: 'CustomerMovedAway', data: { integratorId: customer.integratorId } },
    { type: 'CustomerMoved', data: { integratorId } },
    ...(hasCustomTheme && data.defaultThemeId !== null
      ? [{ type: 'ThemeAssigned' as const, data: { theme: data.defaultThemeId, source: 'default' as const } }]
      : []),
  );
};
