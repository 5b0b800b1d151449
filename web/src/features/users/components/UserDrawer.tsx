import { Box, Dialog, Flex } from '@chakra-ui/react';
import type { User } from '../../../../../src/contracts/users.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Drawer } from '../../../ui/Drawer.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { UserActions } from './UserActions.tsx';
import { UserFacts } from './UserCard.tsx';
import { UserBadges } from './userRows.tsx';

type UserDrawerProps = { dialog: DialogState; user: User; customerLink: string | null };

/** A user beside the table, with what its card shows. */
export const UserDrawer = ({ dialog, user, customerLink }: UserDrawerProps) => (
  <Drawer dialog={dialog} title={user.username} description={user.email}>
    <Dialog.Body>
      <Flex gap="1.5" wrap="wrap">
        <StatusBadge status={user.status} />
        <UserBadges user={user} />
      </Flex>
      <UserFacts user={user} customerLink={customerLink} />
      <Box mt="5">
        <UserActions user={user} />
      </Box>
    </Dialog.Body>
  </Drawer>
);
