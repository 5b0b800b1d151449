import { Box, Button, Flex } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
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
import { Building2 } from '../../../ui/icons.ts';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { useSelection } from '../../../ui/selection.ts';
import { Empty } from '../../../ui/states.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { INTEGRATOR_SORTS, INTEGRATORS_ROOT, integratorsQuery } from '../api/integrators.ts';
import { integratorTexts } from '../texts.ts';
import { integratorColumns, integratorItem, integratorKey, integratorName, integratorPath } from './integratorRows.tsx';
import { LazyIntegratorBulkBar } from './LazyIntegratorBulkBar.ts';

const CreateIntegratorModal = lazyDialog(async () => (await import('./CreateIntegratorModal.tsx')).CreateIntegratorModal);

const PAGE_SIZE = 25;
const DEFAULT_SORT = '-createdAt';
const HEIGHT = '420px';
const NONE: readonly ServiceIntegrator[] = [];

const filterOf = (address: URLSearchParams) => {
  return {
    search: address.get('search') ?? '',
    status: accountStatusIn(address),
    sort: oneOf(INTEGRATOR_SORTS, address.get('sort'), DEFAULT_SORT),
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchIntegrators = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(integratorsQuery(filterOf(search)));

/** All service integrators, with search, filter and order in the address. */
export const IntegratorsScreen = () => {
  const { address, change, openings } = useListAddress();
  const filter = filterOf(address);
  const query = useListQuery(integratorsQuery, filter, 'service_integrators');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const isWide = useIsWide();
  const view = useTableView('integrators', integratorColumns);
  const selection = useSelection(query.data?.service_integrators ?? NONE, integratorKey, integratorName);
  const isFiltered = filter.search !== '' || filter.status !== undefined || filter.cursor !== '';

  const none = isFiltered ? (
    <Empty
      icon={Building2}
      title={integratorTexts.noneFound}
      hint={integratorTexts.noneFoundHint}
      height={HEIGHT}
      action={
        <Button variant="outline" size="sm" onClick={() => change({ search: '', status: '' })}>
          {integratorTexts.clearFilters}
        </Button>
      }
    />
  ) : (
    <Empty
      icon={Building2}
      title={integratorTexts.noneYet}
      hint={integratorTexts.noneYetHint}
      height={HEIGHT}
      action={
        <Allowed to="integrators:write">
          <CreateButton form={CreateIntegratorModal}>{integratorTexts.create}</CreateButton>
        </Allowed>
      }
    />
  );

  return (
    <>
      <PageHead
        title={integratorTexts.title}
        sub={integratorTexts.sub}
        actions={
          <>
            <ExportMenu lists={[{ path: INTEGRATORS_ROOT, query: filter }]} />
            <Allowed to="integrators:write">
              <CreateButton form={CreateIntegratorModal} openings={openings}>
                {integratorTexts.create}
              </CreateButton>
            </Allowed>
          </>
        }
      />
      <Card>
        <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap" justify="space-between">
          <SearchField
            label={integratorTexts.search}
            placeholder={integratorTexts.searchHint}
            value={filter.search}
            onChange={search}
          />
          <AccountStatusFilter label={integratorTexts.filter} status={filter.status} page={query.data} onChange={change} />
          <SavedFilters list="integrators" />
          {isWide && <TableViewMenu view={view} />}
        </Flex>
        <QueryView query={query} loading={integratorTexts.loading} fallback={integratorTexts.loadFailed} height={HEIGHT}>
          {({ service_integrators: rows, ...page }) =>
            rows.length === 0 ? (
              <Box borderTopWidth="1px" borderColor="border">
                {none}
              </Box>
            ) : (
              <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
                <DataTable
                  label={integratorTexts.table}
                  rows={rows}
                  keyOf={integratorKey}
                  columns={view.columns}
                  isCompact={view.isCompact}
                  item={integratorItem}
                  open={integratorPath}
                  selection={selection}
                  sorting={{ current: filter.sort, onChange: (sort) => change({ sort }) }}
                />
                <Pagination page={page} shown={rows.length} noun={integratorTexts.noun} />
              </Box>
            )
          }
        </QueryView>
      </Card>
      {selection.selected.size > 0 && <LazyIntegratorBulkBar selection={selection} />}
    </>
  );
};
