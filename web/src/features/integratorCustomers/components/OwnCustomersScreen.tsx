import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { CUSTOMER_SORTS } from '../../../../../src/contracts/customerSorts.ts';
import type { Customer, CustomersReply } from '../../../../../src/contracts/customers.ts';
import { customersPath } from '../../../api/customersPath.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { AccountStatusFilter, accountStatusIn } from '../../../ui/accountStatus.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { ListLayoutChoice, useListLayout } from '../../../ui/ListLayout.tsx';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { type Selection, useSelection } from '../../../ui/selection.ts';
import { Empty } from '../../../ui/states.tsx';
import { type TableView, useTableView } from '../../../ui/tableView.ts';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { CallQuotaFilter, quotaIn } from '../../callQuotas/index.ts';
import {
  customerColumns,
  customerItem,
  customerKey,
  customerName,
  customerPath,
  DeletionFilter,
  LazyCustomerBulkBar,
} from '../../customers/index.ts';
import { ImportButton } from '../../imports/index.ts';
import { PlanFilter, planIn } from '../../plans/index.ts';
import { TagFilter, tagIn } from '../../records/index.ts';
import { TermFilterSelect, termIn } from '../../terms/index.ts';
import { type OwnCustomerFilter, ownCustomersQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { CustomerCard } from './CustomerCard.tsx';

const CreateOwnCustomerModal = lazyDialog(async () => (await import('./CreateOwnCustomerModal.tsx')).CreateOwnCustomerModal);

const PAGE_SIZE = 24;
const HEIGHT = '420px';
const DEFAULT_SORT = '-createdAt';
const NO_CUSTOMERS: readonly Customer[] = [];

const filterIn = (address: URLSearchParams): Required<OwnCustomerFilter> => {
  return {
    search: address.get('search') ?? '',
    status: accountStatusIn(address),
    deletionRequested: address.get('deletionRequested') === 'true' ? 'true' : undefined,
    term: termIn(address),
    plan: planIn(address),
    quota: quotaIn(address),
    tag: tagIn(address),
    sort: oneOf(CUSTOMER_SORTS, address.get('sort'), DEFAULT_SORT),
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchOwnCustomers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(ownCustomersQuery(filterIn(search)));

type TableProps = {
  reply: CustomersReply;
  view: TableView<Customer>;
  selection: Selection<Customer>;
  sort: string;
  onSort: (sort: string) => void;
};

const Table = ({ reply, view, selection, sort, onSort }: TableProps) => (
  <Card>
    <DataTable
      label={texts.list}
      rows={reply.customers}
      keyOf={customerKey}
      columns={view.columns}
      isCompact={view.isCompact}
      item={customerItem.integrator}
      open={customerPath.integrator}
      sorting={{ current: sort, onChange: onSort }}
      selection={selection}
    />
    <Pagination page={reply} shown={reply.customers.length} noun={texts.noun} />
  </Card>
);

const Cards = ({ reply }: { reply: CustomersReply }) => (
  <>
    <SimpleGrid as="ul" listStyleType="none" aria-label={texts.list} columns={{ base: 1, md: 2, xl: 3 }} gap="4">
      {reply.customers.map((customer) => (
        <CustomerCard key={customer.id} customer={customer} />
      ))}
    </SimpleGrid>
    <Box mt="2">
      <Pagination page={reply} isBare shown={reply.customers.length} noun={texts.noun} />
    </Box>
  </>
);

const None = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <Card>
    {isFiltered ? (
      <Empty
        icon={Users}
        title={texts.noneFound}
        hint={texts.noneFoundHint}
        height={HEIGHT}
        action={
          <Button variant="outline" size="sm" onClick={onClear}>
            {texts.clearFilters}
          </Button>
        }
      />
    ) : (
      <Empty icon={Users} title={texts.none} hint={texts.noneHint} height={HEIGHT} />
    )}
  </Card>
);

/** An integrator's own customers as cards or as a table, with a search and a filter by status. */
export const OwnCustomersScreen = () => {
  const { address, change, openings } = useListAddress();
  const filter = filterIn(address);
  const query = useListQuery(ownCustomersQuery, filter, 'customers');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const isWide = useIsWide();
  const [layout, setLayout] = useListLayout('customers');
  const isTable = isWide && layout === 'table';
  const view = useTableView('customers', customerColumns.integrator);
  const selection = useSelection(query.data?.customers ?? NO_CUSTOMERS, customerKey, customerName);
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        actions={
          <>
            <ImportButton kind="customers" path={customersPath.integrator} />
            <ExportMenu
              lists={[
                { path: customersPath.integrator, query: filter },
                { path: '/api/service-integrator/seat-utilization', query: filter, label: texts.seatUtilization },
              ]}
            />
            <Allowed to="customers:write">
              <CreateButton form={CreateOwnCustomerModal} openings={openings}>
                {texts.create}
              </CreateButton>
            </Allowed>
          </>
        }
      />
      <Flex gap="3" align="center" wrap="wrap" mb="4">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={filter.search} onChange={search} />
        <DeletionFilter
          isOn={filter.deletionRequested !== undefined}
          onChange={(isOn) => change({ deletionRequested: isOn ? 'true' : '' })}
        />
        <TermFilterSelect term={filter.term} onChange={change} />
        <PlanFilter manager="integrator" plan={filter.plan} onChange={change} />
        <CallQuotaFilter quota={filter.quota} onChange={change} />
        <TagFilter tag={filter.tag} rows={query.data?.customers} onChange={change} />
        <AccountStatusFilter label={texts.filter} status={filter.status} page={query.data} onChange={change} />
        <SavedFilters list="customers" />
        {isTable && <TableViewMenu view={view} />}
        {isWide && <ListLayoutChoice layout={layout} onChange={setLayout} />}
      </Flex>
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) => (
          <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
            {reply.customers.length > 0 ? (
              isTable ? (
                <Table reply={reply} view={view} selection={selection} sort={filter.sort} onSort={(sort) => change({ sort })} />
              ) : (
                <Cards reply={reply} />
              )
            ) : (
              <None
                isFiltered={
                  filter.search !== '' ||
                  filter.status !== undefined ||
                  filter.deletionRequested !== undefined ||
                  filter.term !== undefined ||
                  filter.plan !== undefined ||
                  filter.quota !== undefined ||
                  filter.tag !== undefined ||
                  filter.cursor !== ''
                }
                onClear={() => change({ search: '', status: '', deletionRequested: '', term: '', plan: '', quota: '', tag: '' })}
              />
            )}
          </Box>
        )}
      </QueryView>
      {isTable && selection.selected.size > 0 && <LazyCustomerBulkBar manager="integrator" selection={selection} />}
    </>
  );
};
