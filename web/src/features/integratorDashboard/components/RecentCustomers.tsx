import { Button } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { integratorCustomerTexts, ownCustomerPath } from '../../integratorCustomers/index.ts';
import { recentOwnCustomersQuery } from '../api/integratorDashboard.ts';
import { integratorDashboardTexts as texts } from '../texts.ts';

const { recent, columns: headers } = texts;
const HEIGHT = '317px';

const seats = (row: Customer) => <SeatMeter label={headers.seats} active={developersIn(row)} allocated={row.developerSeats} />;

const columns: readonly Column<Customer>[] = [
  {
    header: headers.customer,
    cell: ({ id, name, contactEmail }) => (
      <div className="clip">
        <Who name={name} detail={contactEmail} to={ownCustomerPath(id)} />
      </div>
    ),
  },
  { header: headers.status, cell: (row) => <StatusBadge status={row.status} /> },
  { header: headers.seats, cell: seats },
  { header: headers.apiCalls, align: 'end', cell: (row) => format.whole(row.totalApiCalls) },
  { header: headers.created, tone: 'muted', cell: (row) => <Time at={row.createdAt} as="date" /> },
  {
    header: headers.actions,
    isHeaderHidden: true,
    align: 'end',
    cell: ({ id, name }) => (
      <Link className="text-link" to={ownCustomerPath(id)} aria-label={`${recent.view} ${name}`}>
        {recent.view}
      </Link>
    ),
  },
];

const item = (row: Customer) => (
  <>
    <Who name={row.name} detail={row.contactEmail} to={ownCustomerPath(row.id)} right={<StatusBadge status={row.status} />} />
    <div className="item-facts">
      <div>
        <div className="caption">{headers.seats}</div>
        {seats(row)}
      </div>
      <div className="end">
        <div className="caption">{headers.apiCalls}</div>
        <b>{format.whole(row.totalApiCalls)}</b>
      </div>
    </div>
  </>
);

const keyOf = ({ id }: Customer): string => id;
const pathOf = ({ id }: Customer): string => ownCustomerPath(id);

/** The card with the newest customers of the signed-in service integrator. */
export const RecentCustomers = () => (
  <Card>
    <CardHead
      title={recent.title}
      sub={recent.sub}
      right={
        <Button asChild variant="outline" size="sm">
          <Link to="/service-integrator/customers">{recent.viewAll}</Link>
        </Button>
      }
    />
    <QueryView
      query={useQuery(recentOwnCustomersQuery())}
      loading={integratorCustomerTexts.loading}
      fallback={integratorCustomerTexts.loadFailed}
      height={HEIGHT}
    >
      {({ customers }) =>
        customers.length === 0 ? (
          <Empty
            icon={Users}
            title={integratorCustomerTexts.none}
            hint={integratorCustomerTexts.noneHint}
            height={HEIGHT}
            action={
              <Allowed to="customers:write">
                <Button asChild variant="outline" size="sm">
                  <Link to="/service-integrator/customers?new=1">{integratorCustomerTexts.create}</Link>
                </Button>
              </Allowed>
            }
          />
        ) : (
          <DataTable label={recent.table} rows={customers} keyOf={keyOf} columns={columns} item={item} open={pathOf} />
        )
      }
    </QueryView>
  </Card>
);
