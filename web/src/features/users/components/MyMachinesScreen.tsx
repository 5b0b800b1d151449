import { Box } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Allowed } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Server } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { MY_MACHINES_ROOT, machinesQuery } from '../api/machines.ts';
import { machineListTexts as texts } from '../machineListTexts.ts';
import { machineTexts } from '../machineTexts.ts';
import { offlineTexts } from '../offlineTexts.ts';
import { MachineList } from './MachineList.tsx';
import { RequestsCard } from './MachineRequests.tsx';
import { OfflineLicenseList } from './OfflineLicenseList.tsx';

const OfflineLicenseModal = lazyDialog(async () => (await import('./OfflineLicenseModal.tsx')).OfflineLicenseModal);

const HEIGHT = '240px';
const rootOf = (): string => MY_MACHINES_ROOT;

/** Requests the machines before the screen is rendered. */
export const prefetchMyMachines = (queries: QueryClient): void => void queries.prefetchQuery(machinesQuery(MY_MACHINES_ROOT));

const OfflineLicenseButton = () => {
  const dialog = useDialog();
  return (
    <Allowed to="ownMachines:approve">
      <OpenDialogButton dialog={dialog} preload={OfflineLicenseModal.preload}>
        {offlineTexts.open}
      </OpenDialogButton>
      <OfflineLicenseModal dialog={dialog} root={MY_MACHINES_ROOT} />
    </Allowed>
  );
};

/** The machines of the named user of the session. */
export const MyMachinesScreen = () => (
  <>
    <PageHead title={texts.mine} sub={texts.mineSub} actions={<OfflineLicenseButton />} />
    <QueryView
      query={useQuery(machinesQuery(MY_MACHINES_ROOT))}
      loading={texts.loading}
      fallback={machineTexts.loadFailed}
      height={HEIGHT}
    >
      {({ machines, requests, offlineLicenses = [] }) => (
        <>
          <RequestsCard requests={requests} saysCustomer={false} rootOf={rootOf} needs="ownMachines:approve" />
          <Card as="section" aria-label={texts.approvedMachines}>
            <CardHead title={texts.approvedMachines} sub={texts.approvedMachinesSub} />
            <Box borderTopWidth="1px" borderColor="border" px={{ base: '4', md: '5' }} py="1">
              {machines.length === 0 ? (
                <Empty icon={Server} title={texts.none} hint={texts.noneOfMine} height={HEIGHT} />
              ) : (
                <MachineList machines={machines} root={MY_MACHINES_ROOT} needs="ownMachines:approve" username={null} />
              )}
            </Box>
          </Card>
          {offlineLicenses.length > 0 && (
            <Card as="section" aria-label={offlineTexts.valid} mt="4">
              <CardHead title={offlineTexts.valid} sub={offlineTexts.validSub} />
              <Box borderTopWidth="1px" borderColor="border" px={{ base: '4', md: '5' }} py="1">
                <OfflineLicenseList licenses={offlineLicenses} />
              </Box>
            </Card>
          )}
        </>
      )}
    </QueryView>
  </>
);
