import { Time } from '../../../ui/Time.tsx';
import '../../../ui/cards.css';
import { Box, Flex } from '@chakra-ui/react';
import { memo } from 'react';
import type { User } from '../../../../../src/contracts/users.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Who } from '../../../ui/Who.tsx';
import { userTexts } from '../texts.ts';
import { MachineId } from './MachineId.tsx';
import { UserActions } from './UserActions.tsx';
import { UserBadges } from './userRows.tsx';

const { facts } = userTexts;

type UserCardProps = {
  user: User;
  /** The list of customers that opens the user's customer; null if all users belong to one customer. */
  customerLink: string | null;
};

/** When a user was created and signed in, on which machine, and its customer. */
export const UserFacts = ({ user, customerLink }: UserCardProps) => (
  <dl className="card-facts">
    {customerLink && (
      <div>
        <dt>{facts.customer}</dt>
        <dd title={user.customerName}>
          <Link className="text-link" to={`${customerLink}/${user.customerId}`}>
            {user.customerName}
          </Link>
        </dd>
      </div>
    )}
    <div>
      <dt>{facts.lastLogin}</dt>
      <dd>
        <Time at={user.lastLogin} />
      </dd>
    </div>
    <div>
      <dt>{facts.machineId}</dt>
      <dd>
        <MachineId id={user.machineId} />
      </dd>
    </div>
    <div>
      <dt>{facts.created}</dt>
      <dd>
        <Time at={user.createdAt} as="date" />
      </dd>
    </div>
  </dl>
);

/** One user: name, role, status, presence and actions. */
export const UserCard = memo(({ user, customerLink }: UserCardProps) => (
  <Card as="li" display="flex" flexDirection="column" aria-label={user.username} data-user={user.id}>
    <Box px={{ base: '4', md: '5' }} pt="4" pb="3" flex="1">
      <Who name={user.username} detail={user.email} right={<StatusBadge status={user.status} />} />
      <Flex gap="1.5" mt="3" wrap="wrap" minH="22px">
        <UserBadges user={user} />
      </Flex>
      <UserFacts user={user} customerLink={customerLink} />
    </Box>
    <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
      <UserActions user={user} />
    </Box>
  </Card>
));
