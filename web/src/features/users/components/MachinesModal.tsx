import { Button, Dialog, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../../../src/contracts/users.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Server } from '../../../ui/icons.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { machinesQuery, useMachinesRoot } from '../api/machines.ts';
import { machineListTexts as texts } from '../machineListTexts.ts';
import { machineTexts } from '../machineTexts.ts';
import { offlineTexts } from '../offlineTexts.ts';
import { MachineList } from './MachineList.tsx';
import { OfflineLicenseList } from './OfflineLicenseList.tsx';

const OfflineLicenseModal = lazyDialog(async () => (await import('./OfflineLicenseModal.tsx')).OfflineLicenseModal);

const HEIGHT = '160px';

/** Shows the machines of a user, removes them, and issues offline licenses for machines. */
export const MachinesModal = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const root = useMachinesRoot(user.id);
  const offline = useDialog();
  return (
    <Modal dialog={dialog} title={texts.machinesOf(user.username)} description={texts.machinesHint}>
      <Dialog.Body>
        <QueryView query={useQuery(machinesQuery(root))} loading={texts.loading} fallback={machineTexts.loadFailed} height={HEIGHT}>
          {({ machines, offlineLicenses = [] }) => (
            <>
              {machines.length === 0 ? (
                <Empty icon={Server} title={texts.none} hint={texts.noneHint} height={HEIGHT} />
              ) : (
                <MachineList machines={machines} root={root} needs="machines:approve" username={user.username} />
              )}
              {offlineLicenses.length > 0 && (
                <>
                  <Text as="h3" mt="5" textStyle="sm" fontWeight="semibold">
                    {offlineTexts.valid}
                  </Text>
                  <Text textStyle="xs" color="fg.muted">
                    {offlineTexts.validSub}
                  </Text>
                  <OfflineLicenseList licenses={offlineLicenses} />
                </>
              )}
            </>
          )}
        </QueryView>
      </Dialog.Body>
      <Dialog.Footer>
        <Allowed to="machines:approve">
          <OpenDialogButton dialog={offline} preload={OfflineLicenseModal.preload}>
            {offlineTexts.open}
          </OpenDialogButton>
        </Allowed>
        <Button variant="outline" onClick={dialog.close}>
          {texts.close}
        </Button>
      </Dialog.Footer>
      <OfflineLicenseModal dialog={offline} root={root} username={user.username} />
    </Modal>
  );
};
