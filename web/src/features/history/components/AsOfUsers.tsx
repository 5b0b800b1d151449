import { Box, Text } from '@chakra-ui/react';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { format } from '../../../lib/format.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { asOfTexts as texts } from '../asOfTexts.ts';

type User = AsOfReply['users'][number];

/** How a user differs from the other moment; null where it does not, or where no other moment is shown. */
const differenceOf = (user: User, other: AsOfReply | undefined): 'added' | 'changed' | null => {
  if (!other) return null;
  const then = other.users.find(({ userId }) => userId === user.userId);
  if (!then) return other.users.length < other.userCount ? null : 'added';
  return JSON.stringify(then) === JSON.stringify(user) ? null : 'changed';
};

/** The users of a customer at a moment. Those that differ from the other moment are marked. */
export const AsOfUsers = ({ reply, other }: { reply: AsOfReply; other: AsOfReply | undefined }) => {
  const { users, userCount } = reply;
  return (
    <Box px={{ base: '4', md: '5' }} pb="5" pt="2">
      <Text as="h4" textStyle="sm" fontWeight="semibold" mb="2">
        {texts.usersThen(format.whole(userCount))}
      </Text>
      {users.length === 0 ? (
        <Text textStyle="sm" color="fg.muted">
          {texts.noUsersThen}
        </Text>
      ) : (
        <Box as="ul" listStyleType="none" aria-label={texts.usersThen(format.whole(userCount))}>
          {users.map((user) => {
            const difference = differenceOf(user, other);
            return (
              <Box
                as="li"
                key={user.userId}
                display="flex"
                flexWrap="wrap"
                alignItems="center"
                columnGap="2"
                rowGap="1"
                py="1.5"
                borderTopWidth="1px"
                borderColor="border.muted"
                textStyle="sm"
              >
                <Text as="span" fontWeight="medium" overflowWrap="anywhere">
                  {user.username}
                </Text>
                <Text as="span" color="fg.subtle" textStyle="xs" overflowWrap="anywhere" flex={{ base: '1 0 100%', md: '1' }}>
                  {user.email}
                </Text>
                <Badge>{user.role}</Badge>
                <StatusBadge status={user.status} />
                <Text as="span" textStyle="xs" color="fg.muted">
                  {texts.seat}: {user.seat ?? texts.noSeat}
                </Text>
                {difference && <Badge tone="amber">{texts.differs[difference]}</Badge>}
              </Box>
            );
          })}
        </Box>
      )}
      {users.length < userCount && (
        <Text textStyle="xs" color="fg.subtle" mt="2">
          {texts.usersShown(format.whole(users.length))}
        </Text>
      )}
    </Box>
  );
};
