import type { Customer } from '../../../../../src/contracts/customers.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Link } from '../../../ui/Link.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { customerTexts } from '../texts.ts';
import { DeletionBadge } from './DeletionRequests.tsx';

const { columns: headers } = customerTexts;

const customerPath = (id: string): string => `/admin/customers/${id}`;
/** The React key of a customer's row. */
export const customerKey = ({ id }: Customer): string => id;

const Badges = ({ customer }: { customer: Customer }) => (
  <div className="badges">
    <StatusBadge status={customer.status} />
    <DeletionBadge customer={customer} />
  </div>
);

const who: Column<Customer> = {
  header: headers.customer,
  sort: 'name',
  cell: ({ id, name, contactEmail }) => (
    <div className="clip">
      <Who name={name} detail={contactEmail} to={customerPath(id)} />
    </div>
  ),
};
const status: Column<Customer> = { header: headers.status, cell: (row) => <Badges customer={row} /> };
const licenseKey: Column<Customer> = {
  header: headers.licenseKey,
  isExtra: true,
  cell: (row) => <code className="mono">{row.licenseKey}</code>,
};
const developerSeats: Column<Customer> = {
  header: headers.developerSeats,
  cell: (row) => <SeatMeter label={headers.developerSeats} active={row.activeDeveloperSeats} allocated={row.developerSeats} />,
};
const stakeholderSeats: Column<Customer> = {
  header: headers.stakeholderSeats,
  cell: (row) => (
    <SeatMeter label={headers.stakeholderSeats} active={row.activeStakeholderSeats} allocated={row.stakeholderSeats} />
  ),
};
const apiCalls: Column<Customer> = {
  header: headers.apiCalls,
  align: 'end',
  sort: 'totalApiCalls',
  cell: (row) => format.whole(row.totalApiCalls),
};
const lastCall: Column<Customer> = {
  header: headers.lastCall,
  tone: 'muted',
  isExtra: true,
  cell: (row) => <Time at={row.lastApiCall} as="ago" />,
};
const view: Column<Customer> = {
  header: headers.actions,
  isHeaderHidden: true,
  align: 'end',
  cell: ({ id, name }) => (
    <Link className="text-link" to={customerPath(id)} aria-label={`${customerTexts.view} ${name}`}>
      {customerTexts.view}
    </Link>
  ),
};

/** All columns, for the customers screen. */
export const customerColumns: readonly Column<Customer>[] = [
  who,
  status,
  licenseKey,
  developerSeats,
  stakeholderSeats,
  apiCalls,
  lastCall,
];

/** The most important columns, for dashboards and integrators. */
export const recentColumns: readonly Column<Customer>[] = [
  who,
  status,
  developerSeats,
  { header: headers.apiCalls, align: 'end', cell: (row) => format.whole(row.totalApiCalls) },
  { header: headers.created, tone: 'muted', cell: (row) => <Time at={row.createdAt} as="date" /> },
  view,
];

/** A customer as a list item, for narrow screens. */
export const customerItem = (row: Customer) => (
  <>
    <Who name={row.name} detail={row.contactEmail} to={customerPath(row.id)} right={<Badges customer={row} />} />
    <div className="item-facts">
      <div>
        <div className="caption">{headers.developerSeats}</div>
        <SeatMeter label={headers.developerSeats} active={row.activeDeveloperSeats} allocated={row.developerSeats} />
      </div>
      <div className="end">
        <div className="caption">{headers.apiCalls}</div>
        <b>{format.whole(row.totalApiCalls)}</b>
      </div>
    </div>
  </>
);
