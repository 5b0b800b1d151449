import { Box, Button, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { useParams } from 'react-router-dom';
import type { Seat, SeatDenials, SeatsReply } from '../../../../../src/contracts/seats.ts';
import { SEAT_KINDS } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import { isMissing } from '../../../api/error.ts';
import { isCustomerId } from '../../../api/ids.ts';
import type { Area } from '../../../areas.ts';
import { lazyComponent, type ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { NotFound } from '../../../ui/NotFound.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { SeatPanel } from '../../../ui/SeatPanel.tsx';
import { type Selection, useSelection } from '../../../ui/selection.ts';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type TableView, useTableView } from '../../../ui/tableView.ts';
import { type ListAt, useListQuery } from '../../../ui/useListQuery.ts';
import { SEAT_SORTS, type SeatFilter, seatsPath, seatsQuery } from '../api/seats.ts';
import { utilizationOf, utilizationPath, utilizationQuery } from '../api/utilization.ts';
import { seatTexts as texts } from '../seatTexts.ts';
import { utilizationTexts } from '../utilizationTexts.ts';
import { SeatUtilizationCard } from './SeatUtilizationCard.tsx';
import { seatColumnsOf, seatHolder, seatItem, seatKey } from './seatRows.tsx';
import { useUtilizationChoice, utilizationIn } from './utilizationAddress.ts';

const SeatDrawer = lazyDialog(async () => (await import('./SeatDrawer.tsx')).SeatDrawer);

const SeatBulkBar = lazyComponent(
  async () => (await import('./SeatBulkBar.tsx')).SeatBulkBar,
  () => null,
);

/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '420px';
const KINDS = ['all', ...SEAT_KINDS] as const;
const IDLE_DAYS = ['', '7', '30', '90'] as const;
const NONE: readonly Seat[] = [];
const NO_FILTERS = { search: '', kind: '', idle: '' };

/** The filter in the address. */
const filterIn = (address: URLSearchParams): SeatFilter => {
  const kind = oneOf(KINDS, address.get('kind'), 'all');
  return {
    search: address.get('search') ?? '',
    kind: kind === 'all' ? undefined : kind,
    idleDays: oneOf(IDLE_DAYS, address.get('idle'), ''),
    sort: oneOf(SEAT_SORTS, address.get('sort'), 'idleSince'),
  };
};

const prefetch = (queries: QueryClient, area: Area, id: CustomerId, search: URLSearchParams): void => {
  void queries.prefetchQuery(seatsQuery(area, id, filterIn(search), search.get('cursor') ?? ''));
  void queries.prefetchQuery(utilizationQuery(area, id, utilizationIn(search)));
};

const prefetchOf =
  (area: Area) =>
  (queries: QueryClient, { params, search }: ScreenAddress): void => {
    if (isCustomerId(params.customerId)) prefetch(queries, area, params.customerId, search);
  };

export const prefetchAdminSeats = prefetchOf('admin');
export const prefetchIntegratorSeats = prefetchOf('integrator');
export const prefetchPortalSeats = (queries: QueryClient, { search }: ScreenAddress): void =>
  prefetchAsCustomer(queries, ({ id }) => prefetch(queries, 'portal', id, search));

/** Seats used and allowed of each kind, and what a full license means. */
const Figures = ({ reply: { kinds, limitsEnforced } }: { reply: SeatsReply }) => {
  const panels = SEAT_KINDS.map((kind) => {
    const { allocated, active, floating } = kinds[kind];
    return { kind, allocated, active: floating?.leased ?? active, isFloating: floating !== undefined };
  });
  const isFull = panels.some(({ allocated, active }) => allocated !== UNLIMITED_SEATS && active > 0 && active >= allocated);
  const { floating, active: users } = kinds.developer;
  return (
    <Box mb="4">
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        {panels.map(({ kind, ...counts }) => (
          <SeatPanel key={kind} title={texts.kinds[kind]} {...counts} />
        ))}
      </SimpleGrid>
      {floating && (
        <Text mt="2" textStyle="sm" color="fg.muted">
          {texts.shared(users, floating.minutes)}
        </Text>
      )}
      {isFull && (
        <Text mt="2" textStyle="sm" color="fg.muted">
          {limitsEnforced ? texts.full : texts.notEnforced}
        </Text>
      )}
    </Box>
  );
};

/** Where each refused seat is shown, with its user. The portal has no audit page. */
const denialsPath = {
  admin: (id: CustomerId) => `/admin/audit?customer=${id}&types=SeatDenied`,
  integrator: (id: CustomerId) => `/service-integrator/audit?customer=${id}&types=SeatDenied`,
  portal: () => '/portal/team/activity?type=SeatDenied',
} satisfies Record<Area, (id: CustomerId) => string>;

/** Refused seats by kind and reason, with a link to each of them. */
const Denials = ({ area, id, denials }: { area: Area; id: CustomerId; denials: readonly SeatDenials[] }) =>
  denials.length > 0 && (
    <Card as="section" aria-label={texts.denials} mb="4" px="4" py="3">
      <Box as="ul" listStyleType="none" textStyle="sm">
        {denials.map((denied) => (
          <li key={`${denied.kind} ${denied.reason}`}>
            {texts.denied(denied)}, <Time at={denied.lastAt} as="ago" />
          </li>
        ))}
      </Box>
      <Allowed to="history:read">
        <Link className="text-link" to={denialsPath[area](id)}>
          {texts.showDenials[area]}
        </Link>
      </Allowed>
    </Card>
  );

const None = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
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
  );

type RowsProps = {
  reply: SeatsReply;
  view: TableView<Seat>;
  selection: Selection<Seat>;
  sort: string;
  onSort: (sort: string) => void;
};

const Rows = ({ reply, view, selection, sort, onSort }: RowsProps) => {
  const drawer = useDialog();
  const [chosen, setChosen] = useState<Seat>();
  const { open } = drawer;
  const show = useCallback(
    (seat: Seat) => {
      setChosen(seat);
      open();
    },
    [open],
  );
  const shown = reply.seats.find(({ id }) => id === chosen?.id) ?? chosen;
  return (
    <>
      <DataTable
        label={texts.list}
        rows={reply.seats}
        keyOf={seatKey}
        columns={view.columns}
        isCompact={view.isCompact}
        item={seatItem}
        onOpen={show}
        selection={selection}
        sorting={{ current: sort, onChange: onSort }}
      />
      <Pagination page={reply} shown={reply.seats.length} noun={texts.noun} />
      {shown && <SeatDrawer dialog={drawer} seat={shown} />}
    </>
  );
};

type SeatsViewProps = {
  area: Area;
  id: CustomerId;
  back: { to: string; text: string };
  missing?: (wasShown: boolean) => ReactNode;
};

/** The seats of a customer with the users who hold them. */
const SeatsView = ({ area, id, back, missing }: SeatsViewProps) => {
  const { address, change } = useListAddress();
  const filter = filterIn(address);
  const cursor = address.get('cursor') ?? '';
  const query = useListQuery((at: ListAt) => seatsQuery(area, id, filter, at.cursor, at.limit), { cursor }, 'seats');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const chosen = useUtilizationChoice();
  const isWide = useIsWide();
  const view = useTableView('seats', seatColumnsOf(query.data?.kinds.developer.floating !== undefined));
  const selection = useSelection(query.data?.seats ?? NONE, seatKey, seatHolder);
  if (missing && isMissing(query.error)) return missing(query.data !== undefined);
  const isFiltered = filter.search !== '' || filter.kind !== undefined || filter.idleDays !== '' || cursor !== '';
  return (
    <>
      <PageHead
        title={texts.title}
        {...(area !== 'portal' && { owner: { name: query.data?.customerName ?? '…', to: back.to } })}
        sub={area === 'portal' ? texts.portalSub : texts.sub(query.data?.customerName ?? '…')}
        back={<BackLink to={back.to}>{back.text}</BackLink>}
        actions={
          <ExportMenu
            lists={[
              { path: seatsPath(area, id), query: filter },
              { path: utilizationPath(area, id), query: utilizationOf(chosen.choice), label: utilizationTexts.export },
            ]}
          />
        }
      />
      {query.data && <Figures reply={query.data} />}
      {query.data && <Denials area={area} id={id} denials={query.data.denials} />}
      <SeatUtilizationCard area={area} id={id} chosen={chosen} />
      <Flex gap="3" align="center" wrap="wrap" justify="space-between" mb="4">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={filter.search} onChange={search} />
        <FilterButtons
          label={texts.filterKind}
          value={filter.kind ?? 'all'}
          onChange={(kind) => change({ kind: kind === 'all' ? '' : kind })}
          options={KINDS.map((value) => ({ value, label: value === 'all' ? texts.all : texts.kind[value] }))}
        />
        <FilterButtons
          label={texts.filterIdle}
          value={oneOf(IDLE_DAYS, filter.idleDays, '')}
          onChange={(idle) => change({ idle })}
          options={IDLE_DAYS.map((value) => ({ value, label: value === '' ? texts.anyUse : texts.idleFor(value) }))}
        />
        <Flex gap="3">
          <SavedFilters list="seats" />
          {isWide && <TableViewMenu view={view} />}
        </Flex>
      </Flex>
      <Card>
        <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
          {(reply) => (
            <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
              {reply.seats.length === 0 ? (
                <None isFiltered={isFiltered} onClear={() => change(NO_FILTERS)} />
              ) : (
                <Rows reply={reply} view={view} selection={selection} sort={filter.sort} onSort={(sort) => change({ sort })} />
              )}
            </Box>
          )}
        </QueryView>
      </Card>
      {selection.selected.size > 0 && <SeatBulkBar selection={selection} />}
    </>
  );
};

const OfAddress = ({ area, list }: { area: 'admin' | 'integrator'; list: string }) => {
  const { customerId } = useParams();
  const missing = (wasShown: boolean) => (
    <NotFound
      {...texts.missing[wasShown && area === 'integrator' ? 'gone' : area]}
      icon={Users}
      to={list}
      back={texts.back.customers}
    />
  );
  if (!isCustomerId(customerId)) return missing(false);
  const back = { to: `${list}/${customerId}`, text: texts.back.customer };
  return <SeatsView key={customerId} area={area} id={customerId} back={back} missing={missing} />;
};

/** The seats of any customer. */
export const AdminSeatsScreen = () => <OfAddress area="admin" list="/admin/customers" />;
/** The seats of a customer of the service integrator. */
export const IntegratorSeatsScreen = () => <OfAddress area="integrator" list="/service-integrator/customers" />;
/** The customer's own seats. */
export const PortalSeatsScreen = () => {
  const { id } = useCustomerSession();
  return <SeatsView area="portal" id={id} back={{ to: '/portal/users', text: texts.back.users }} />;
};
