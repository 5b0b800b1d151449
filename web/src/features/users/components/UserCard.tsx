import { Time } from '../../../ui/Time.tsx';
import '../../../ui/cards.css';
import { Box, Flex } from '@chakra-ui/react';
import { memo } from 'react';
import type { UserRoleName } from '../../../../../src/contracts/fields.ts';
import type { User } from '../../../../../src/contracts/users.ts';
import { Badge, StatusBadge, type Tone } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Who } from '../../../ui/Who.tsx';
import { userTexts } from '../texts.ts';
import { UserActions } from './UserActions.tsx';

const { facts } = userTexts;
const MACHINE_ID_SHOWN = 16;

type UserCardProps = {
  user: User;
  /** The list of customers that opens the user's customer; null if all users belong to one customer. */
  customerLink: string | null;
};

const roleTones = { developer: 'brand', stakeholder: 'violet', admin: 'cyan' } as const satisfies Record<UserRoleName, Tone>;

/** The first 16 characters and an ellipsis; the whole id is the title. */
const MachineId = ({ id }: { id: string | null }) =>
  id === null ? (
    userTexts.noMachine
  ) : (
    <code className="mono" title={id}>
      {id.length > MACHINE_ID_SHOWN ? `${id.slice(0, MACHINE_ID_SHOWN)}…` : id}
    </code>
  );

const UserFacts = ({ user, customerLink }: UserCardProps) => (
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
        <Badge tone={roleTones[user.role]}>{userTexts.roles[user.role]}</Badge>
        {user.pendingMachines > 0 && <Badge tone="amber">{userTexts.pendingMachines(user.pendingMachines)}</Badge>}
        {user.currentlyConnected && <StatusBadge status="connected">{userTexts.connected}</StatusBadge>}
      </Flex>
      <UserFacts user={user} customerLink={customerLink} />
    </Box>
    <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
      <UserActions user={user} />
    </Box>
  </Card>
));
