import { Box, Button, Dialog, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Machine } from '../../../../../src/contracts/machines.ts';
import type { User } from '../../../../../src/contracts/users.ts';
import { messageOf } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Server, Trash2 } from '../../../ui/icons.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { machinesQuery, useRemoveMachine } from '../api/machines.ts';
import { useUsersRoot } from '../api/users.ts';
import { machineTexts as texts } from '../machineTexts.ts';

const HEIGHT = '160px';

const Row = ({ machine, user }: { machine: Machine; user: User }) => {
  const remove = useRemoveMachine(user.id);
  const name = machine.name ?? machine.machineId;
  const press = () =>
    remove.mutate(machine.id, {
      onSuccess: () => notify.success(texts.removed),
      onError: (error) => notify.error(messageOf(error, texts.decideFailed)),
    });
  return (
    <Flex
      as="li"
      gap="3"
      py="2.5"
      align="center"
      justify="space-between"
      _notFirst={{ borderTopWidth: '1px' }}
      borderColor="border.muted"
    >
      <Box minW="0">
        <Text textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
          {name}
        </Text>
        <Text textStyle="xs" color="fg.subtle" overflowWrap="anywhere">
          {machine.name !== null && (
            <>
              <code className="mono">{machine.machineId}</code> ·{' '}
            </>
          )}
          {texts.since(format.date(machine.approvedAt))}
        </Text>
      </Box>
      <Allowed to="machines:approve">
        <BusyButton
          size="xs"
          variant="outline"
          color="fg.error"
          flexShrink="0"
          aria-label={texts.of(texts.remove, name)}
          onClick={press}
          isBusy={remove.isPending}
          busyLabel={texts.removing}
        >
          <Trash2 aria-hidden />
          {texts.remove}
        </BusyButton>
      </Allowed>
    </Flex>
  );
};

/** Shows the machines of a user and removes them. */
export const MachinesModal = ({ dialog, user }: { dialog: DialogState; user: User }) => (
  <Modal dialog={dialog} title={texts.machinesOf(user.username)} description={texts.machinesHint}>
    <Dialog.Body>
      <QueryView
        query={useQuery(machinesQuery(useUsersRoot(), user.id))}
        loading={texts.loading}
        fallback={texts.loadFailed}
        height={HEIGHT}
      >
        {({ machines }) =>
          machines.length === 0 ? (
            <Empty icon={Server} title={texts.none} hint={texts.noneHint} height={HEIGHT} />
          ) : (
            <Box as="ul" listStyleType="none" aria-label={texts.machines}>
              {machines.map((machine) => (
                <Row key={machine.id} machine={machine} user={user} />
              ))}
            </Box>
          )
        }
      </QueryView>
    </Dialog.Body>
    <Dialog.Footer>
      <Button variant="outline" onClick={dialog.close}>
        {texts.close}
      </Button>
    </Dialog.Footer>
  </Modal>
);
