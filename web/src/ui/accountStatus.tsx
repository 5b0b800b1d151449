import { ACCOUNT_STATUSES, type AccountStatus } from '../../../src/domain/enumerations.ts';
import { oneOf } from '../lib/listAddress.ts';
import { FilterButtons } from './FilterBar.tsx';

const ALL = 'all';
const STATUSES = [ALL, ...ACCOUNT_STATUSES] as const;

const labels = { active: 'Active', suspended: 'Suspended', churned: 'Churned' } as const satisfies Record<AccountStatus, string>;

/** The status that the address filters a list of customers or service integrators by; undefined for all. */
export const accountStatusIn = (address: URLSearchParams): AccountStatus | undefined => {
  const status = oneOf(STATUSES, address.get('status'), ALL);
  return status === ALL ? undefined : status;
};

type AccountStatusFilterProps = {
  label: string;
  status: AccountStatus | undefined;
  /** The reply, once the list is loaded: its number of entries by status, and where counting ended. */
  page: Readonly<{ counts: Readonly<Record<(typeof STATUSES)[number], number>>; countedUpTo?: number | undefined }> | undefined;
  /** Takes changes of the list's address. */
  onChange: (changes: { status: string }) => void;
};

/** Filters a list of customers or service integrators by status. */
export const AccountStatusFilter = ({ label, status, page, onChange }: AccountStatusFilterProps) => (
  <FilterButtons
    label={label}
    value={status ?? ALL}
    countedUpTo={page?.countedUpTo}
    onChange={(value) => onChange({ status: value === ALL ? '' : value })}
    options={STATUSES.map((value) => ({ value, label: value === ALL ? 'All' : labels[value], count: page?.counts[value] }))}
  />
);

/** The options of a select for the status of a customer or service integrator. */
export const AccountStatusOptions = () =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
