import { Box, Flex, Text } from '@chakra-ui/react';
import type { Machine } from '../../../../../src/contracts/machines.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { messageOf } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Pencil, Trash2 } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Time } from '../../../ui/Time.tsx';
import { useRemoveMachine } from '../api/machines.ts';
import { machineTexts as texts } from '../machineTexts.ts';

const RenameMachineModal = lazyDialog(async () => (await import('./RenameMachineModal.tsx')).RenameMachineModal);

type MachineListProps = {
  machines: readonly Machine[];
  /** The path of the calls on the machines. */
  root: string;
  /** The permission to rename and remove them. */
  needs: Permission;
};

const Row = ({ machine, root, needs }: { machine: Machine } & Pick<MachineListProps, 'root' | 'needs'>) => {
  const remove = useRemoveMachine(root);
  const rename = useDialog();
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
          {[machine.system, texts.since(format.date(machine.approvedAt))].filter((part) => part !== null).join(' · ')}
          {machine.lastSeenAt !== null && (
            <>
              {' · '}
              {texts.lastSeen} <Time at={machine.lastSeenAt} />
            </>
          )}
        </Text>
      </Box>
      <Allowed to={needs}>
        <Flex gap="2" flexShrink="0" wrap="wrap" justify="end">
          <OpenDialogButton
            dialog={rename}
            preload={RenameMachineModal.preload}
            size="xs"
            aria-label={texts.of(texts.rename, name)}
          >
            <Pencil aria-hidden />
            {texts.rename}
          </OpenDialogButton>
          <BusyButton
            size="xs"
            variant="outline"
            color="fg.error"
            aria-label={texts.of(texts.remove, name)}
            onClick={press}
            isBusy={remove.isPending}
            busyLabel={texts.removing}
          >
            <Trash2 aria-hidden />
            {texts.remove}
          </BusyButton>
        </Flex>
      </Allowed>
      <RenameMachineModal dialog={rename} machine={machine} root={root} />
    </Flex>
  );
};

/** The approved machines of a user, which can be renamed and removed. */
export const MachineList = ({ machines, root, needs }: MachineListProps) => (
  <Box as="ul" listStyleType="none" aria-label={texts.machines}>
    {machines.map((machine) => (
      <Row key={machine.id} machine={machine} root={root} needs={needs} />
    ))}
  </Box>
);
