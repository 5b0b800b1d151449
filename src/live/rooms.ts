import { room } from '../contracts/topics.ts';
import type { Session, SessionOwner } from '../security/session.ts';

/** The rooms of a customer's session, by what its role sees. */
const roomsInPortal = ({ permissions }: Session, owner: Extract<SessionOwner, { kind: 'customer' }>): readonly string[] => {
  const { customerId, userId } = owner;
  if (permissions.has('users:read')) return [room.customer(customerId)];
  return [
    room.portal(customerId),
    ...(permissions.has('usage:read') ? [room.dashboards(customerId)] : []),
    ...(userId === undefined ? [] : [room.user(userId)]),
  ];
};

/** The Socket.IO rooms whose data a session may see; clients cannot choose. None for tools, which have no console. */
export const roomsOf = (session: Session): readonly string[] => {
  const { owner } = session;
  switch (owner.kind) {
    case 'admin':
      return [room.admin];
    case 'integrator':
      return [room.integrator(owner.integratorId)];
    case 'customer':
      return roomsInPortal(session, owner);
    case 'cli':
      return [];
  }
};

/** All sockets of a tenant, whatever they see: their number is limited. */
export const tenantRoom = (session: Session): string => {
  const { owner } = session;
  return `${owner.kind === 'customer' ? room.customer(owner.customerId) : roomsOf(session)[0]} all`;
};
