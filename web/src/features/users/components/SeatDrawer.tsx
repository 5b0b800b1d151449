import { Box, Dialog, Flex, Text } from '@chakra-ui/react';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Drawer } from '../../../ui/Drawer.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { seatTexts } from '../seatTexts.ts';
import { SeatFacts } from './seatRows.tsx';
import { UserActions } from './UserActions.tsx';
import { UserBadges } from './userRows.tsx';

type SeatDrawerProps = { dialog: DialogState; seat: Seat };

/** A seat and its user beside the table, with all that can be done with the user. */
export const SeatDrawer = ({ dialog, seat }: SeatDrawerProps) => (
  <Drawer dialog={dialog} title={seat.username} description={seat.email}>
    <Dialog.Body>
      <Flex gap="1.5" wrap="wrap">
        <StatusBadge status={seat.status} />
        <UserBadges user={seat} />
      </Flex>
      <SeatFacts seat={seat} />
      <Box mt="5">
        <UserActions user={seat} />
      </Box>
      <Text mt="3" textStyle="sm" color="fg.muted">
        {seat.freeAt === undefined ? seatTexts.releaseHint : seatTexts.freeHint}
      </Text>
    </Dialog.Body>
  </Drawer>
);
