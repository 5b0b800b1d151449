import { type NoInverse, restored } from '../inverse.ts';
import type { IntegratorEvent } from './events.ts';
import type { Integrator } from './evolve.ts';

type Fields = Pick<
  Integrator,
  'companyName' | 'contactEmail' | 'billingEmail' | 'status' | 'whiteLabelEnabled' | 'customDomain' | 'logoUrl'
>;

const STATUS = { IntegratorSuspended: 'suspended', IntegratorReactivated: 'active', IntegratorChurned: 'churned' } as const;

const profileOf = ({ companyName, contactEmail, billingEmail }: Pick<Fields, 'companyName' | 'contactEmail' | 'billingEmail'>) => ({
  companyName,
  contactEmail,
  billingEmail,
});
const brandOf = ({ customDomain, logoUrl }: Pick<Fields, 'customDomain' | 'logoUrl'>) => ({ customDomain, logoUrl });
const whiteLabelOf = ({ whiteLabelEnabled }: Integrator) => ({ whiteLabelEnabled });
const statusOf = ({ status }: Integrator): Pick<Fields, 'status'> => ({ status });

/** The fields that take an event back, from the state before it and the state now. Absent fields stay as they are. */
export const inverseOf = (event: IntegratorEvent, before: Integrator, now: Integrator): Partial<Fields> | NoInverse => {
  switch (event.type) {
    case 'IntegratorProfileChanged':
      return restored(profileOf(before), profileOf(event.data), profileOf(now)) ?? 'revert_outdated';
    case 'IntegratorSuspended':
    case 'IntegratorReactivated':
    case 'IntegratorChurned':
      return restored(statusOf(before), { status: STATUS[event.type] }, statusOf(now)) ?? 'revert_outdated';
    case 'BrandingChanged':
      return restored(brandOf(before), brandOf(event.data), brandOf(now)) ?? 'revert_outdated';
    case 'WhiteLabelEnabled':
    case 'WhiteLabelDisabled': {
      const after = { whiteLabelEnabled: event.type === 'WhiteLabelEnabled' };
      return restored(whiteLabelOf(before), after, whiteLabelOf(now)) ?? 'revert_outdated';
    }
    default:
      return 'revert_unsupported';
  }
};
