import type { User } from '../../../../../src/contracts/users.ts';
import type { UserRole } from '../../../../../src/domain/enumerations.ts';
import type { Area } from '../../../areas.ts';
import { Badge, StatusBadge, type Tone } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { userTexts } from '../texts.ts';
import { MachineId } from './MachineId.tsx';

const { facts, columns: headers } = userTexts;

/** Where a user's customer is shown; a portal shows its own customer's users only. */
export const customerLink = { admin: '/admin/customers', integrator: '/service-integrator/customers', portal: null } as const;

/** The React key of a user's row. */
export const userKey = ({ id }: User): string => id;
/** The name of a user's row, for screen readers. */
export const userName = ({ username }: User): string => username;

const roleTones = { developer: 'brand', stakeholder: 'violet', admin: 'cyan' } as const satisfies Record<UserRole, Tone>;

/** The role, waiting machines and the connection of a user. */
export const UserBadges = ({ user }: { user: User }) => (
  <>
    <Badge tone={roleTones[user.role]}>{userTexts.roles[user.role]}</Badge>
    {user.pendingMachines > 0 && <Badge tone="amber">{userTexts.pendingMachines(user.pendingMachines)}</Badge>}
    {user.currentlyConnected && <StatusBadge status="connected">{userTexts.connected}</StatusBadge>}
  </>
);

const customer = (link: string): Column<User> => ({
  header: facts.customer,
  cell: ({ customerId, customerName }) => (
    <Link className="text-link" to={`${link}/${customerId}`}>
      {customerName}
    </Link>
  ),
});

const columnsIn = (area: Area): readonly Column<User>[] => {
  const link = customerLink[area];
  return [
    {
      header: headers.user,
      sort: 'username',
      cell: ({ username, email }) => (
        <div className="clip">
          <Who name={username} detail={email} />
        </div>
      ),
    },
    { header: headers.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      header: headers.role,
      cell: (row) => (
        <div className="badges">
          <UserBadges user={row} />
        </div>
      ),
    },
    ...(link === null ? [] : [customer(link)]),
    {
      header: facts.lastLogin,
      tone: 'muted',
      isSecondary: true,
      sort: 'lastLogin',
      isDescendingFirst: true,
      cell: ({ lastLogin }) => <Time at={lastLogin} />,
    },
    { header: facts.machineId, isOptional: true, cell: ({ machineId }) => <MachineId id={machineId} /> },
    {
      header: facts.created,
      tone: 'muted',
      isExtra: true,
      sort: 'createdAt',
      isDescendingFirst: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
    },
  ];
};

/** The columns of the tables of users. */
export const userColumns = {
  admin: columnsIn('admin'),
  integrator: columnsIn('integrator'),
  portal: columnsIn('portal'),
} as const satisfies Record<Area, readonly Column<User>[]>;

/** A user as a list item. */
export const userItem = (row: User) => <Who name={row.username} detail={row.email} right={<StatusBadge status={row.status} />} />;
