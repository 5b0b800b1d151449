import { Text } from '@chakra-ui/react';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { format } from '../../../lib/format.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { AsOfList, Named } from './AsOfList.tsx';

const listedOf = ({ users, userCount }: AsOfReply) => ({ objects: users, count: userCount });

/** The users of a customer at a moment. Those that differ from the other moment are marked. */
export const AsOfUsers = ({ reply, other }: { reply: AsOfReply; other: AsOfReply | undefined }) => (
  <AsOfList
    title={texts.usersThen(format.whole(reply.userCount))}
    none={texts.noUsersThen}
    incomplete={texts.usersShown(format.whole(reply.users.length))}
    listed={listedOf(reply)}
    other={other && listedOf(other)}
    idOf={({ userId }) => userId}
  >
    {({ username, email, role, status, seat }) => (
      <>
        <Named name={username} detail={email} />
        <Badge>{role}</Badge>
        <StatusBadge status={status} />
        <Text as="span" textStyle="xs" color="fg.muted">
          {texts.seat}: {seat ?? texts.noSeat}
        </Text>
      </>
    )}
  </AsOfList>
);
