import { Box, Button, Flex, Text } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { CallsReply, RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import type { Area } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Activity, Pause, Play } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import { type ListAt, useListQuery } from '../../../ui/useListQuery.ts';
import { type CallFilter, type CallList, callsOf, callsQuery, portalCalls, sourcesPathOf } from '../api/calls.ts';
import { type VoidsOf, voidsOf } from '../api/voids.ts';
import { callTexts as texts } from '../texts.ts';
import { voidTexts } from '../voidTexts.ts';
import { CallFilters } from './CallFilters.tsx';
import { filterOf, NO_FILTERS } from './callFilter.ts';
import { callKey, rowsOf } from './callRows.tsx';
import { VoidsCard } from './VoidsCard.tsx';

/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '480px';

const VoidCallsModal = lazyDialog(async () => (await import('./VoidCallsModal.tsx')).VoidCallsModal);
const CallDrawer = lazyDialog(async () => (await import('./CallDrawer.tsx')).CallDrawer);

const prefetch = (queries: QueryClient, list: CallList, search: URLSearchParams): void =>
  void queries.prefetchQuery(callsQuery(list, filterOf(search), search.get('cursor') ?? ''));

const prefetchOf =
  (area: 'admin' | 'service-integrator') =>
  (queries: QueryClient, { search }: ScreenAddress): void =>
    prefetch(queries, callsOf(area, filterOf(search).customerId), search);

export const prefetchAdminCalls = prefetchOf('admin');
export const prefetchIntegratorCalls = prefetchOf('service-integrator');
export const prefetchPortalCalls = (queries: QueryClient, { search }: ScreenAddress): void =>
  prefetchAsCustomer(queries, ({ id }) => prefetch(queries, portalCalls(id, 'customer'), search));
export const prefetchOwnCalls = (queries: QueryClient, { search }: ScreenAddress): void =>
  prefetchAsCustomer(queries, ({ id }) => prefetch(queries, portalCalls(id, 'user'), search));

type Links = { customers: string | null; users: string | null; audit: string | null };

type ListProps = Links & { data: CallsReply; isFiltered: boolean; isEarlier: boolean };

const NoCalls = ({ data, isFiltered, isEarlier }: Omit<ListProps, keyof Links>) => {
  const { change } = useListAddress();
  const { nextCursor, searchedTo } = data;
  if (nextCursor !== null) {
    const action = (
      <Button variant="outline" size="sm" onClick={() => change({ cursor: nextCursor })}>
        {texts.continue}
      </Button>
    );
    const title = texts.noneSoFar(format.exact(searchedTo ?? ''));
    return <Empty icon={Activity} title={title} hint={texts.noneSoFarHint} height={HEIGHT} action={action} />;
  }
  if (!isFiltered && !isEarlier) return <Empty icon={Activity} title={texts.noneYet} hint={texts.noneYetHint} height={HEIGHT} />;
  const action = (
    <Button variant="outline" size="sm" onClick={() => change(NO_FILTERS)}>
      {texts.filters.clear}
    </Button>
  );
  return <Empty icon={Activity} title={texts.noneFound} hint={texts.noneFoundHint} height={HEIGHT} action={action} />;
};

const Calls = ({ data, customers, users, audit, isFiltered, isEarlier }: ListProps) => {
  const { change } = useListAddress();
  const drawer = useDialog();
  const [shown, setShown] = useState<RecordedCallEntry>();
  const { open } = drawer;
  const show = useCallback(
    (row: RecordedCallEntry) => {
      setShown(row);
      open();
    },
    [open],
  );
  const { columns, item } = useMemo(
    () => rowsOf({ customer: customers !== null, user: users !== null }, show, change),
    [customers, users, show, change],
  );
  return (
    <>
      {data.calls.length === 0 ? (
        <Box borderTopWidth="1px" borderColor="border">
          <NoCalls data={data} isFiltered={isFiltered} isEarlier={isEarlier} />
        </Box>
      ) : (
        <DataTable label={texts.table} rows={data.calls} keyOf={callKey} columns={columns} item={item} onOpen={show} />
      )}
      {data.calls.length > 0 && data.searchedTo && (
        <Text px={{ base: '4', md: '5' }} py="2.5" textStyle="sm" color="fg.muted" borderTopWidth="1px" borderColor="border">
          {texts.searchedTo(format.exact(data.searchedTo))}
        </Text>
      )}
      {(data.calls.length > 0 || isEarlier) && <Pagination page={data} shown={data.calls.length} noun={texts.noun} />}
      {shown && <CallDrawer dialog={drawer} call={shown} customers={customers} users={users} audit={audit} onFilter={change} />}
    </>
  );
};

/** Voids the calls of the source that the filter names. */
const VoidButton = ({ of, filter }: { of: VoidsOf; filter: CallFilter }) => {
  const dialog = useDialog();
  return (
    <Allowed to="calls:void">
      <OpenDialogButton dialog={dialog} preload={VoidCallsModal.preload} size="sm">
        {voidTexts.open}
      </OpenDialogButton>
      <VoidCallsModal dialog={dialog} of={of} filter={filter} />
    </Allowed>
  );
};

const NO_CALLS: readonly RecordedCallEntry[] = [];

type CallsViewProps = Links & {
  area: Area;
  /** The customer of the portal; empty elsewhere. */
  customerId?: string;
  list: CallList;
  filter: CallFilter;
  sub: string;
  back: { to: string; text: string };
};

/** Calls, newest first. A pause keeps those that are shown. */
const CallsView = ({ area, customerId = '', list, filter, sub, back, ...links }: CallsViewProps) => {
  const { address, change } = useListAddress();
  const cursor = address.get('cursor') ?? '';
  const [pausedAt, setPausedAt] = useState<string>();
  const isPaused = pausedAt === address.toString();
  const { data, error, isFetching, isPlaceholderData, refetch } = useListQuery(
    (at: ListAt) => ({ ...callsQuery(list, filter, at.cursor, at.limit), enabled: !isPaused }),
    { cursor },
    'calls',
  );
  // The calls of one source are of one customer, so the first one names it.
  const sourceOwner = filter.sourceId === '' ? '' : (data?.calls[0]?.customer.customerId ?? '');
  const voids = voidsOf(list.path, customerId || filter.customerId || sourceOwner);
  return (
    <>
      <PageHead
        title={texts.title}
        sub={
          <>
            {sub} {cursor === '' && (isPaused ? `${texts.paused}.` : texts.live)}
          </>
        }
        back={<BackLink to={back.to}>{back.text}</BackLink>}
        actions={
          <Flex gap="2" wrap="wrap">
            {cursor === '' && (
              <Button
                variant="outline"
                size="sm"
                aria-pressed={isPaused}
                onClick={() => setPausedAt(isPaused ? undefined : address.toString())}
              >
                {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
                {isPaused ? texts.resume : texts.pause}
              </Button>
            )}
            {voids && filter.sourceId !== '' && <VoidButton of={voids} filter={filter} />}
            <ExportMenu lists={[{ path: list.path, query: filter }]} />
          </Flex>
        }
      />
      <Card>
        <CallFilters
          filter={filter}
          found={isPlaceholderData ? NO_CALLS : (data?.calls ?? NO_CALLS)}
          fields={{ area, hasUsers: links.users !== null }}
          sources={sourcesPathOf(list.path, filter.customerId)}
          change={change}
        />
        {data ? (
          <Box opacity={isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={isPlaceholderData}>
            <Calls
              data={data}
              {...links}
              isFiltered={Object.values(filter).some((value) => value !== '' && value !== undefined)}
              isEarlier={cursor !== ''}
            />
          </Box>
        ) : error ? (
          <ErrorState error={error} fallback={texts.loadFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />
        ) : (
          <Loading label={texts.loading} height={HEIGHT} />
        )}
      </Card>
      {voids && <VoidsCard of={voids} />}
    </>
  );
};

const useFilter = (): CallFilter => {
  const { address } = useListAddress();
  return useMemo(() => filterOf(address), [address]);
};

/** The calls of all customers, for administrators. */
export const AdminCallsScreen = () => {
  const filter = useFilter();
  return (
    <CallsView
      area="admin"
      list={callsOf('admin', filter.customerId)}
      filter={filter}
      sub={texts.sub}
      back={{ to: '/admin/monitoring', text: texts.back.monitoring }}
      customers="/admin/customers"
      users="/admin/users"
      audit="/admin/audit"
    />
  );
};

/** The calls of a service integrator's customers. */
export const IntegratorCallsScreen = () => {
  const filter = useFilter();
  return (
    <CallsView
      area="integrator"
      list={callsOf('service-integrator', filter.customerId)}
      filter={filter}
      sub={texts.sub}
      back={{ to: '/service-integrator/customers', text: texts.back.customers }}
      customers="/service-integrator/customers"
      users="/service-integrator/users"
      audit="/service-integrator/audit"
    />
  );
};

/** The calls of all users of a customer. */
export const PortalCallsScreen = () => {
  const { id } = useCustomerSession();
  const back = { to: '/portal/usage', text: texts.back.usage };
  return (
    <CallsView
      area="portal"
      customerId={id}
      list={portalCalls(id, 'customer')}
      filter={useFilter()}
      sub={texts.sub}
      back={back}
      customers={null}
      users="/portal/users"
      audit={null}
    />
  );
};

/** The calls of the named user of the session. */
export const OwnCallsScreen = () => {
  const { id } = useCustomerSession();
  const back = { to: '/portal/my-usage', text: texts.back.ownUsage };
  return (
    <CallsView
      area="portal"
      list={portalCalls(id, 'user')}
      filter={useFilter()}
      sub={texts.ownSub}
      back={back}
      customers={null}
      users={null}
      audit={null}
    />
  );
};
