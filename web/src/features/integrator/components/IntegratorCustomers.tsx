import { useSearchParams } from 'react-router-dom';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Users } from '../../../ui/icons.ts';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useListQuery } from '../../../ui/useListQuery.ts';
import {
  type CustomerFilter,
  customerItem,
  customerKey,
  customerPath,
  customersQuery,
  customerTexts,
  recentColumns,
} from '../../customers/index.ts';
import { integratorTexts } from '../../integrators/index.ts';

const PAGE_SIZE = 10;
const HEIGHT = '240px';
/** The history on the same screen has `cursor`. */
const CURSOR = 'customersCursor';

const filterOf = (id: IntegratorId, address: URLSearchParams): CustomerFilter => ({
  serviceIntegratorId: id,
  sort: '-createdAt',
  limit: PAGE_SIZE,
  cursor: address.get(CURSOR) ?? '',
});

export const integratorCustomersQuery = (id: IntegratorId, address: URLSearchParams) => customersQuery(filterOf(id, address));

/** The customers of a service integrator, newest first. */
export const IntegratorCustomers = ({ id }: { id: IntegratorId }) => {
  const [address] = useSearchParams();
  return (
    <Card>
      <CardHead title={integratorTexts.customers} sub={integratorTexts.customersSub} />
      <QueryView
        query={useListQuery(customersQuery, filterOf(id, address), 'customers')}
        loading={customerTexts.loading}
        fallback={customerTexts.loadFailed}
        height={HEIGHT}
      >
        {({ customers, ...page }) =>
          customers.length === 0 ? (
            <Empty icon={Users} title={integratorTexts.noCustomers} hint={integratorTexts.noCustomersHint} height={HEIGHT} />
          ) : (
            <>
              <DataTable
                label={customerTexts.table}
                rows={customers}
                keyOf={customerKey}
                columns={recentColumns}
                item={customerItem.admin}
                open={customerPath.admin}
              />
              <Pagination page={page} shown={customers.length} noun={customerTexts.noun} cursorName={CURSOR} />
            </>
          )
        }
      </QueryView>
    </Card>
  );
};
