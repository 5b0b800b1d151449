import { Box, Button, Text } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { AuditReply } from '../../../../../src/contracts/audit.ts';
import { format } from '../../../lib/format.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Card } from '../../../ui/Card.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { History } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { type ListAt, useListQuery } from '../../../ui/useListQuery.ts';
import { VerifiedExportItem, VerifiedExportModal } from '../../history/index.ts';
import { type AuditArea, type AuditFilter, auditQuery, exportVerifiedAudit, pathIn } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { AuditDays } from './AuditDays.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { filterOf, isFiltered, NO_FILTERS, typedAuditIn, useEntry } from './auditAddress.ts';

/** The height of a full page, so that the layout does not shift. */
const HEIGHT = '480px';

const AuditDrawer = lazyDialog(async () => (await import('./AuditDrawer.tsx')).AuditDrawer);

const prefetchOf =
  (area: AuditArea) =>
  (queries: QueryClient, { search }: ScreenAddress): void =>
    void queries.prefetchQuery(auditQuery(area, filterOf(typedAuditIn(search)), search.get('cursor') ?? ''));

export const prefetchAdminAudit = prefetchOf('admin');
export const prefetchIntegratorAudit = prefetchOf('integrator');

const Exports = ({ area, filter }: { area: AuditArea; filter: AuditFilter }) => {
  const dialog = useDialog();
  return (
    <>
      <ExportMenu
        lists={[{ path: pathIn[area], query: filter }]}
        more={(close) => <VerifiedExportItem dialog={dialog} onOpen={close} />}
      />
      <VerifiedExportModal dialog={dialog} download={() => exportVerifiedAudit(area, filter)} />
    </>
  );
};

const Nothing = ({ reply: { nextCursor, searchedTo } }: { reply: AuditReply }) => {
  const { address, change } = useListAddress();
  if (nextCursor !== null && searchedTo !== null) {
    const action = (
      <Button variant="outline" size="sm" onClick={() => change({ cursor: nextCursor })}>
        {texts.continue}
      </Button>
    );
    return (
      <Empty
        icon={History}
        title={texts.noneSoFar(format.exact(searchedTo))}
        hint={texts.noneSoFarHint}
        height={HEIGHT}
        action={action}
      />
    );
  }
  if (!isFiltered(typedAuditIn(address)) && !address.has('cursor')) {
    return <Empty icon={History} title={texts.none} hint={texts.noneHint} height={HEIGHT} />;
  }
  const action = (
    <Button variant="outline" size="sm" onClick={() => change(NO_FILTERS)}>
      {texts.clear}
    </Button>
  );
  return <Empty icon={History} title={texts.noneFound} hint={texts.noneFoundHint} height={HEIGHT} action={action} />;
};

/** The entry of the address, in a drawer. */
const Entry = ({ area }: { area: AuditArea }) => {
  const { id, open } = useEntry();
  const { change } = useListAddress();
  const dialog = useDialog(id !== '');
  const shown = useRef(id);
  if (id !== '') shown.current = id;
  const { open: openDrawer, close } = dialog;
  useEffect(() => {
    if (id === '') close();
    else openDrawer();
  }, [id, openDrawer, close]);
  const state = { ...dialog, close: () => open(null) };
  return <AuditDrawer dialog={state} area={area} id={shown.current} onOpen={open} onFilter={change} />;
};

const AuditView = ({ area }: { area: AuditArea }) => {
  const { address } = useListAddress();
  const { open } = useEntry();
  const typed = typedAuditIn(address);
  const filter = filterOf(typed);
  const query = useListQuery(
    (at: ListAt) => auditQuery(area, filter, at.cursor, at.limit),
    { cursor: address.get('cursor') ?? '' },
    'entries',
    'signIns',
  );
  return (
    <>
      <PageHead title={texts.title} sub={texts.sub[area]} actions={<Exports area={area} filter={filter} />} />
      <Card>
        <AuditFilters area={area} reply={query.data} />
        <Box
          borderTopWidth="1px"
          borderColor="border"
          opacity={query.isPlaceholderData ? 0.6 : 1}
          transition="opacity .15s"
          aria-busy={query.isPlaceholderData}
        >
          <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
            {(reply) =>
              reply.entries.length === 0 && !reply.signIns?.length ? (
                <Nothing reply={reply} />
              ) : (
                <>
                  <AuditDays
                    area={area}
                    entries={reply.entries}
                    signIns={reply.signIns ?? []}
                    customer={typed.customer}
                    onOpen={open}
                  />
                  {reply.searchedTo !== null && (
                    <Text
                      px={{ base: '4', md: '5' }}
                      py="2.5"
                      textStyle="sm"
                      color="fg.muted"
                      borderTopWidth="1px"
                      borderColor="border"
                    >
                      {texts.searchedTo(format.exact(reply.searchedTo))}
                    </Text>
                  )}
                  <Pagination page={reply} shown={reply.entries.length} noun={texts.noun} />
                </>
              )
            }
          </QueryView>
        </Box>
      </Card>
      <Entry area={area} />
    </>
  );
};

/** What happened to all tenants and the administration. */
export const AdminAuditScreen = () => <AuditView area="admin" />;

/** What happened to a service integrator and its customers. */
export const IntegratorAuditScreen = () => <AuditView area="integrator" />;
