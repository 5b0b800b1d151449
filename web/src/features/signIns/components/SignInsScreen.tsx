import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { SignInEntry } from '../../../../../src/contracts/signIns.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { dayIn, endOfDay, idIn, localDayOf, oneOf, startOfDay, useListAddress } from '../../../lib/listAddress.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { useCustomerSession, useIntegratorSession } from '../../../session/session.ts';
import { Card } from '../../../ui/Card.tsx';
import { Select } from '../../../ui/controls.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { DayField, FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import { type TableView, useTableView } from '../../../ui/tableView.ts';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { administration, type OwnTeam, teamOfCustomer, teamOfIntegrator, teamQuery } from '../../team/index.ts';
import { type SignInFilter, type SignInsPath, signInsChartQuery, signInsQuery } from '../api/signIns.ts';
import { signInTexts as texts } from '../texts.ts';
import { SignInsChart } from './SignInsChart.tsx';
import { rowsWithLinks, rowsWithoutLinks, signInKey } from './signInRows.tsx';

/** A moment as the chart writes it into the address, ISO-8601 UTC. */
const isMoment = (typed: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(typed) && !Number.isNaN(Date.parse(typed));

const PAGE_SIZE = 25;
const AUDIENCES = ['all', 'admin', 'customer', 'integrator', 'cli'] as const;
const OUTCOMES = ['all', 'accepted', 'rejected', 'throttled'] as const;
/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '480px';

/** The moment of an address: a day, whose first or last moment `of` returns, or the moment itself, as a point of the chart has it. */
const momentIn = (typed: string | null, of: (day: string) => string): string =>
  typed !== null && isMoment(typed) ? typed : of(dayIn(typed));

/** The day of the address, or that of its moment. */
const shownDayIn = (typed: string | null): string => (typed !== null && isMoment(typed) ? localDayOf(typed) : dayIn(typed));

const filterOf = (address: URLSearchParams): Required<SignInFilter> => {
  const audience = oneOf(AUDIENCES, address.get('audience'), 'all');
  const outcome = oneOf(OUTCOMES, address.get('outcome'), 'all');
  return {
    search: address.get('search') ?? '',
    audience: audience === 'all' ? undefined : audience,
    outcome: outcome === 'all' ? undefined : outcome,
    user: idIn(address.get('user')),
    from: momentIn(address.get('from'), startOfDay),
    to: momentIn(address.get('to'), endOfDay),
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

const NOTHING_TYPED = { search: '', audience: '', outcome: '', user: '', from: '', to: '' };

/** Requests the page of the address before the screen is rendered. */
const prefetchOf =
  (path: SignInsPath) =>
  (queries: QueryClient, { search }: ScreenAddress): void => {
    void queries.prefetchQuery(signInsQuery(path, filterOf(search)));
    void queries.prefetchQuery(signInsChartQuery(path, filterOf(search)));
  };

export const prefetchSignIns = prefetchOf('/api/admin');
export const prefetchIntegratorSignIns = prefetchOf('/api/service-integrator');
export const prefetchPortalSignIns = prefetchOf('/api/customer');

/** The named users of the own team, whose sign-ins can be chosen. One who is not among them stays chosen. */
const UserSelect = ({ team, value, onChange }: { team: OwnTeam; value: string; onChange: (userId: string) => void }) => {
  const { data } = useQuery({ ...teamQuery(team), enabled: usePermission('members:read') });
  const members = data?.members ?? [];
  return (
    <Select aria-label={texts.user} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{texts.allUsers}</option>
      {members.map(({ userId, name }) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
      {value !== '' && !members.some(({ userId }) => userId === value) && <option value={value}>{texts.otherUser}</option>}
    </Select>
  );
};

const Filters = ({ team, view }: { team: OwnTeam; view: TableView<SignInEntry> }) => {
  const { address, change } = useListAddress();
  const isWide = useIsWide();
  const filter = filterOf(address);
  const [from, to] = [shownDayIn(address.get('from')), shownDayIn(address.get('to'))];
  const search = useCallback((value: string) => change({ search: value }), [change]);
  return (
    <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap">
      <SearchField label={texts.search} placeholder={texts.searchHint} value={filter.search} onChange={search} />
      {team.kind === 'administration' && (
        <Box w={{ base: 'full', md: '180px' }}>
          <Select
            aria-label={texts.audience}
            value={filter.audience ?? ''}
            onChange={(event) => change({ audience: event.target.value })}
          >
            <option value="">{texts.allAudiences}</option>
            {Object.entries(texts.audiences).map(([audience, label]) => (
              <option key={audience} value={audience}>
                {label}
              </option>
            ))}
          </Select>
        </Box>
      )}
      <Box w={{ base: 'full', md: '180px' }}>
        <UserSelect team={team} value={filter.user} onChange={(user) => change({ user })} />
      </Box>
      <DayField label={texts.from} value={from} max={to} onChange={(day) => change({ from: day })} />
      <DayField label={texts.to} value={to} min={from} onChange={(day) => change({ to: day })} />
      <FilterButtons
        label={texts.outcome}
        value={filter.outcome ?? 'all'}
        onChange={(outcome) => change({ outcome: outcome === 'all' ? '' : outcome })}
        options={OUTCOMES.map((value) => ({ value, label: value === 'all' ? texts.allOutcomes : texts.outcomes[value] }))}
      />
      <SavedFilters list="signIns" />
      {isWide && <TableViewMenu view={view} />}
    </Flex>
  );
};

const rowsIn = (path: SignInsPath) => (path === '/api/admin' ? rowsWithLinks : rowsWithoutLinks);

type RowsProps = { path: SignInsPath; filter: Required<SignInFilter>; view: TableView<SignInEntry> };

const Rows = ({ path, filter, view }: RowsProps) => {
  const { change } = useListAddress();
  const query = useListQuery((at: Required<SignInFilter>) => signInsQuery(path, at), filter, 'signIns');
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const { limit: _limit, cursor, ...chosen } = filter;
  const isFiltered = Object.values(chosen).some((value) => value !== '' && value !== undefined);
  if (!data && error) {
    return <ErrorState error={error} fallback={texts.loadFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />;
  }
  if (!data) return <Loading label={texts.loading} height={HEIGHT} />;
  if (data.signIns.length === 0) {
    const action = (
      <Button variant="outline" size="sm" onClick={() => change(NOTHING_TYPED)}>
        {texts.clearFilters}
      </Button>
    );
    return (
      <Box borderTopWidth="1px" borderColor="border">
        {isFiltered || cursor ? (
          <Empty icon={KeyRound} title={texts.noneFound} hint={texts.noneFoundHint} height={HEIGHT} action={action} />
        ) : (
          <Empty icon={KeyRound} title={texts.noneYet} hint={texts.noneYetHint} height={HEIGHT} />
        )}
      </Box>
    );
  }
  return (
    <Box opacity={isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={isPlaceholderData}>
      <DataTable
        label={texts.table}
        rows={data.signIns}
        keyOf={signInKey}
        columns={view.columns}
        isCompact={view.isCompact}
        item={rowsIn(path).item}
      />
      <Pagination page={data} shown={data.signIns.length} noun={texts.noun} />
    </Box>
  );
};

/** Who signed in, or tried to. */
const SignIns = ({ path, team, sub }: { path: SignInsPath; team: OwnTeam; sub: string }) => {
  const { address, change } = useListAddress();
  const filter = filterOf(address);
  const { data } = useQuery(signInsQuery(path, filter));
  const view = useTableView('signIns', rowsIn(path).columns);
  return (
    <>
      <PageHead
        title={texts.title}
        sub={data ? `${sub} ${texts.kept(data.retentionDays)}` : sub}
        actions={<ExportMenu lists={[{ path: `${path}/sign-ins`, query: filter }]} />}
      />
      <SignInsChart path={path} filter={filter} onPeriod={(from, to) => change({ from, to })} />
      <Card>
        <Filters team={team} view={view} />
        <Rows path={path} filter={filter} view={view} />
      </Card>
    </>
  );
};

/** The sign-ins of all accounts, for administrators. */
export const SignInsScreen = () => <SignIns path="/api/admin" team={administration} sub={texts.sub} />;

/** The sign-ins to the own account of a service integrator. */
export const IntegratorSignInsScreen = () => {
  const { id } = useIntegratorSession();
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return <SignIns path="/api/service-integrator" team={team} sub={texts.ownSub} />;
};

/** The sign-ins to the own account of a customer. */
export const PortalSignInsScreen = () => {
  const { id } = useCustomerSession();
  const team = useMemo(() => teamOfCustomer(id), [id]);
  return <SignIns path="/api/customer" team={team} sub={texts.ownSub} />;
};
