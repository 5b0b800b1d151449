import { Box, Flex, Text } from '@chakra-ui/react';
import type { Machine } from '../../../../../src/contracts/machines.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Pencil, Trash2 } from '../../../ui/icons.ts';
import { Time } from '../../../ui/Time.tsx';
import { machineListTexts as texts } from '../machineListTexts.ts';
import { machineTexts } from '../machineTexts.ts';

const RenameMachineModal = lazyDialog(async () => (await import('./RenameMachineModal.tsx')).RenameMachineModal);
const RemoveMachineDialog = lazyDialog(async () => (await import('./MachineDialogs.tsx')).RemoveMachineDialog);

type MachineListProps = {
  machines: readonly Machine[];
  /** The path of the calls on the machines. */
  root: string;
  /** The permission to rename and remove them. */
  needs: Permission;
  /** Whose machines they are; null for the user of the session. */
  username: string | null;
};

const Row = ({ machine, root, needs, username }: { machine: Machine } & Omit<MachineListProps, 'machines'>) => {
  const rename = useDialog();
  const remove = useDialog();
  const name = machine.name ?? machine.machineId;
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
            aria-label={machineTexts.of(texts.rename, name)}
          >
            <Pencil aria-hidden />
            {texts.rename}
          </OpenDialogButton>
          <OpenDialogButton
            dialog={remove}
            preload={RemoveMachineDialog.preload}
            size="xs"
            color="fg.error"
            aria-label={machineTexts.of(texts.remove, name)}
          >
            <Trash2 aria-hidden />
            {texts.remove}
          </OpenDialogButton>
        </Flex>
      </Allowed>
      <RenameMachineModal dialog={rename} machine={machine} root={root} />
      <RemoveMachineDialog dialog={remove} machine={machine} root={root} username={username} />
    </Flex>
  );
};

/** The approved machines of a user, which can be renamed and removed. */
export const MachineList = ({ machines, ...shared }: MachineListProps) => (
  <Box as="ul" listStyleType="none" aria-label={texts.machines}>
    {machines.map((machine) => (
      <Row key={machine.id} machine={machine} {...shared} />
    ))}
  </Box>
);
