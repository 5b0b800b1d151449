import { Box, Button, Flex } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { CUSTOMER_SORTS } from '../../../../../src/contracts/customerSorts.ts';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { isIntegratorId } from '../../../api/ids.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { AccountStatusFilter, accountStatusIn } from '../../../ui/accountStatus.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { FilterChip, SearchField } from '../../../ui/FilterBar.tsx';
import { KeyRound, Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { useSelection } from '../../../ui/selection.ts';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { CallQuotaFilter, quotaIn } from '../../callQuotas/index.ts';
import { ImportButton } from '../../imports/index.ts';
import { PlanFilter, planIn } from '../../plans/index.ts';
import { TagFilter, tagIn } from '../../records/index.ts';
import { TermFilterSelect, termIn } from '../../terms/index.ts';
import { type CustomerFilter, customersQuery } from '../api/customers.ts';
import { customerTexts } from '../texts.ts';
import { CreateCustomerButton } from './CreateCustomerButton.tsx';
import { customerColumns, customerItem, customerKey, customerName, customerPath } from './customerRows.tsx';
import { DeletionFilter } from './DeletionRequests.tsx';
import { LazyCustomerBulkBar } from './LazyCustomerBulkBar.ts';

const PAGE_SIZE = 25;
const DEFAULT_SORT = '-createdAt';
/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '480px';
const NO_FILTERS = { search: '', status: '', deletionRequested: '', term: '', plan: '', quota: '', tag: '', integrator: '' };
const NONE: readonly Customer[] = [];

const filterOf = (address: URLSearchParams): Required<Omit<CustomerFilter, 'serviceIntegratorId'>> & CustomerFilter => {
  const integrator = address.get('integrator') ?? undefined;
  return {
    search: address.get('search') ?? '',
    status: accountStatusIn(address),
    ...(isIntegratorId(integrator) && { serviceIntegratorId: integrator }),
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
export const prefetchCustomers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(customersQuery(filterOf(search)));

/** The customers of all service integrators, with search, filters and orders in the address. */
export const CustomersScreen = () => {
  const isWide = useIsWide();
  const { address, change, openings } = useListAddress();
  const filter = filterOf(address);
  const { data, error, isFetching, isPlaceholderData, refetch } = useListQuery(customersQuery, filter, 'customers');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const isFiltered =
    filter.search !== '' ||
    filter.status !== undefined ||
    filter.deletionRequested !== undefined ||
    filter.term !== undefined ||
    filter.plan !== undefined ||
    filter.quota !== undefined ||
    filter.tag !== undefined ||
    filter.serviceIntegratorId !== undefined;
  const selection = useSelection(data?.customers ?? NONE, customerKey, customerName);
  const view = useTableView('customers', customerColumns.admin);

  const content = () => {
    if (!data && error) {
      return (
        <ErrorState error={error} fallback={customerTexts.loadFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />
      );
    }
    if (!data) return <Loading label={customerTexts.loading} height={HEIGHT} />;
    if (data.customers.length === 0) {
      return (
        <Box borderTopWidth="1px" borderColor="border">
          {isFiltered || filter.cursor ? (
            <Empty
              icon={Users}
              title={customerTexts.noneFound}
              hint={customerTexts.noneFoundHint}
              height={HEIGHT}
              action={
                <Button variant="outline" size="sm" onClick={() => change(NO_FILTERS)}>
                  {customerTexts.clearFilters}
                </Button>
              }
            />
          ) : (
            <Empty
              icon={Users}
              title={customerTexts.noneYet}
              hint={customerTexts.noneYetHint}
              height={HEIGHT}
              action={<CreateCustomerButton />}
            />
          )}
        </Box>
      );
    }
    return (
      <Box opacity={isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={isPlaceholderData}>
        <DataTable
          label={customerTexts.table}
          rows={data.customers}
          keyOf={customerKey}
          columns={view.columns}
          isCompact={view.isCompact}
          item={customerItem.admin}
          open={customerPath.admin}
          selection={selection}
          sorting={{ current: filter.sort, onChange: (sort) => change({ sort }) }}
        />
        <Pagination page={data} shown={data.customers.length} noun={customerTexts.noun} />
      </Box>
    );
  };

  return (
    <>
      <PageHead
        title={customerTexts.title}
        sub={customerTexts.sub}
        actions={
          <>
            <Button asChild variant="outline" size="sm">
              <Link to="/admin/plans">
                <KeyRound aria-hidden />
                {customerTexts.plans}
              </Link>
            </Button>
            <ImportButton kind="customers" path={customersPath.admin} />
            <ExportMenu
              lists={[
                { path: customersPath.admin, query: filter },
                { path: '/api/admin/seat-utilization', query: filter, label: customerTexts.seatUtilization },
              ]}
            />
            <CreateCustomerButton openings={openings} />
          </>
        }
      />
      <Card>
        <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap">
          <SearchField
            label={customerTexts.search}
            placeholder={customerTexts.searchHint}
            value={filter.search}
            onChange={search}
          />
          <DeletionFilter
            isOn={filter.deletionRequested !== undefined}
            onChange={(isOn) => change({ deletionRequested: isOn ? 'true' : '' })}
          />
          <TermFilterSelect term={filter.term} onChange={change} />
          <PlanFilter manager="admin" plan={filter.plan} onChange={change} />
          <CallQuotaFilter quota={filter.quota} onChange={change} />
          <TagFilter tag={filter.tag} rows={data?.customers} onChange={change} />
          <AccountStatusFilter label={customerTexts.filter} status={filter.status} page={data} onChange={change} />
          <SavedFilters list="customers" />
          {isWide && <TableViewMenu view={view} />}
          {filter.serviceIntegratorId && (
            <FilterChip onRemove={() => change({ integrator: '' })}>
              {data?.customers[0]
                ? customerTexts.ofIntegrator(data.customers[0].serviceIntegratorName)
                : customerTexts.chosenIntegrator}
            </FilterChip>
          )}
        </Flex>
        {content()}
      </Card>
      {selection.selected.size > 0 && <LazyCustomerBulkBar manager="admin" selection={selection} />}
    </>
  );
};
