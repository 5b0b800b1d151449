import type { CustomerSort } from '../../../../../src/contracts/customerSorts.ts';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { areaRoot } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { Allowed, FigureLink } from '../../../session/permissions.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Link } from '../../../ui/Link.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { developersIn, seatUsage } from '../../../ui/seats.ts';
import { Time } from '../../../ui/Time.tsx';
import { tierOf } from '../../../ui/tier.ts';
import { Who } from '../../../ui/Who.tsx';
import { CallQuotaBadge } from '../../callQuotas/index.ts';
import { callsAddress } from '../../calls/index.ts';
import { TermBadge, termTexts } from '../../terms/index.ts';
import { customerTexts } from '../texts.ts';
import { DeletionBadge } from './DeletionRequests.tsx';

const { columns: headers } = customerTexts;

const callsPath = { admin: '/admin/monitoring/calls', integrator: '/service-integrator/calls' } as const satisfies Record<
  CustomerManager,
  string
>;

/** The React key of a customer's row. */
export const customerKey = ({ id }: Customer): string => id;
/** The name of a customer's row, for screen readers. */
export const customerName = ({ name }: Customer): string => name;

const pathIn =
  (manager: CustomerManager) =>
  ({ id }: Customer): string =>
    `${areaRoot[manager]}/customers/${id}`;

/** The path of a customer's screen, in the area of who manages it. */
export const customerPath = { admin: pathIn('admin'), integrator: pathIn('integrator') } as const;

const Badges = ({ customer }: { customer: Customer }) => (
  <div className="badges">
    <StatusBadge status={customer.status} />
    <TermBadge customer={customer} />
    <CallQuotaBadge customer={customer} />
    <DeletionBadge customer={customer} />
  </div>
);

const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? (
    customerTexts.none
  ) : (
    <div className="badges">
      {tags.map((tag) => (
        <Badge key={tag} tone="gray">
          {tag}
        </Badge>
      ))}
    </div>
  );

/** The columns by name; their figures link to what they count. */
const columnsIn = (manager: CustomerManager) => {
  const seats = (
    header: string,
    sort: CustomerSort,
    activeIn: (row: Customer) => number,
    all: 'developerSeats' | 'stakeholderSeats',
  ) => ({
    header,
    sort,
    isDescendingFirst: true,
    cell: (row: Customer) => (
      <FigureLink needs="users:read" to={`${areaRoot[manager]}/users?customer=${row.id}`}>
        <SeatMeter label={header} active={activeIn(row)} allocated={row[all]} />
      </FigureLink>
    ),
  });
  return {
    who: {
      header: headers.customer,
      sort: 'name',
      cell: (row) => (
        <div className="clip">
          <Who name={row.name} detail={row.contactEmail} to={customerPath[manager](row)} />
        </div>
      ),
    },
    status: { header: headers.status, cell: (row) => <Badges customer={row} /> },
    licenseKey: {
      header: headers.licenseKey,
      isExtra: true,
      cell: (row) => (
        <span className="copied-key">
          <code className="mono">{row.licenseKey}</code>
          <Allowed to="keys:read">
            <CopyButton text={row.licenseKey} label={customerTexts.copyKeyOf(row.name)} />
          </Allowed>
        </span>
      ),
    },
    developerSeats: seats(headers.developerSeats, 'heldDeveloperSeats', developersIn, 'developerSeats'),
    stakeholderSeats: {
      ...seats(headers.stakeholderSeats, 'heldStakeholderSeats', (row) => row.activeStakeholderSeats, 'stakeholderSeats'),
      isSecondary: true,
    },
    utilization: {
      header: headers.utilization,
      align: 'end',
      sort: 'developerUtilization',
      isDescendingFirst: true,
      isOptional: true,
      cell: (row) => {
        const { percent } = seatUsage(developersIn(row), row.developerSeats);
        if (percent === null) return customerTexts.none;
        return (
          <FigureLink needs="users:read" to={`${customerPath[manager](row)}/seats`}>
            {`${percent}%`}
          </FigureLink>
        );
      },
    },
    apiCalls: {
      header: headers.apiCalls,
      align: 'end',
      sort: 'totalApiCalls',
      isDescendingFirst: true,
      cell: (row) => (
        <FigureLink
          needs="calls:read"
          to={callsAddress(callsPath[manager], { customer: row.id })}
          label={customerTexts.countedCalls(format.whole(row.totalApiCalls))}
        >
          {format.whole(row.totalApiCalls)}
        </FigureLink>
      ),
    },
    lastCall: {
      header: headers.lastCall,
      tone: 'muted',
      sort: 'lastCall',
      isDescendingFirst: true,
      isExtra: true,
      cell: (row) => <Time at={row.lastApiCall} as="ago" />,
    },
    created: {
      header: headers.created,
      tone: 'muted',
      sort: 'createdAt',
      isDescendingFirst: true,
      isOptional: true,
      isSecondary: true,
      cell: (row) => <Time at={row.createdAt} as="date" />,
    },
    expires: {
      header: termTexts.column,
      tone: 'muted',
      isOptional: true,
      cell: ({ term }) => (term ? format.utcDate(term.expiresAt) : termTexts.perpetual),
    },
    plan: { header: headers.plan, isOptional: true, cell: tierOf },
    callQuota: {
      header: headers.callQuota,
      align: 'end',
      isOptional: true,
      cell: ({ callQuota }) => (callQuota ? format.whole(callQuota.limit) : customerTexts.none),
    },
    tags: { header: headers.tags, isOptional: true, cell: ({ tags = [] }) => <Tags tags={tags} /> },
    company: { header: headers.company, isOptional: true, cell: ({ company }) => company ?? customerTexts.none },
    theme: {
      header: headers.theme,
      isOptional: true,
      cell: ({ theme, themeDisplayName }) => themeDisplayName ?? theme ?? customerTexts.none,
    },
    connections: {
      header: headers.connections,
      align: 'end',
      isOptional: true,
      cell: ({ activeConnections }) => format.whole(activeConnections),
    },
    view: {
      header: headers.actions,
      isHeaderHidden: true,
      align: 'end',
      cell: (row) => (
        <Link className="text-link" to={customerPath[manager](row)} aria-label={`${customerTexts.view} ${row.name}`}>
          {customerTexts.view}
        </Link>
      ),
    },
  } as const satisfies Record<string, Column<Customer>>;
};

const integrator: Column<Customer> = {
  header: headers.integrator,
  isOptional: true,
  cell: ({ serviceIntegratorId, serviceIntegratorName }) => (
    <FigureLink needs="integrators:read" to={`/admin/service-integrators/${serviceIntegratorId}`}>
      {serviceIntegratorName}
    </FigureLink>
  ),
};

const allIn = (manager: CustomerManager): readonly Column<Customer>[] => {
  const { view, created, utilization, plan, callQuota, tags, expires, company, theme, connections, ...shown } = columnsIn(manager);
  return [
    ...Object.values(shown),
    created,
    utilization,
    plan,
    expires,
    callQuota,
    tags,
    company,
    ...(manager === 'admin' ? [integrator] : []),
    theme,
    connections,
  ];
};

/** All columns of the lists of customers, in the area of who manages them. */
export const customerColumns = { admin: allIn('admin'), integrator: allIn('integrator') } as const;

const recent = columnsIn('admin');

/** The most important columns, for dashboards and integrators. */
export const recentColumns: readonly Column<Customer>[] = [
  recent.who,
  recent.status,
  recent.developerSeats,
  recent.apiCalls,
  recent.created,
  recent.view,
];

const itemIn = (manager: CustomerManager) => (row: Customer) => (
  <>
    <Who name={row.name} detail={row.contactEmail} to={customerPath[manager](row)} right={<Badges customer={row} />} />
    <div className="item-facts">
      <div>
        <div className="caption">{headers.developerSeats}</div>
        <SeatMeter label={headers.developerSeats} active={developersIn(row)} allocated={row.developerSeats} />
      </div>
      <div className="end">
        <div className="caption">{headers.apiCalls}</div>
        <b>{format.whole(row.totalApiCalls)}</b>
      </div>
    </div>
  </>
);

/** A customer as a list item, for narrow screens, in the area of who manages it. */
export const customerItem = { admin: itemIn('admin'), integrator: itemIn('integrator') } as const;
