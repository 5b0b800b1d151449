import { createContext, type ReactNode, use } from 'react';
import type { Grants } from '../../../src/contracts/auth.ts';
import type { Permission } from '../../../src/domain/permissions.ts';
import { Link } from '../ui/Link.tsx';

/** The permissions of the signed-in session; the area's guard provides them. */
export const Permissions = createContext<readonly Permission[]>([]);

/** Permissions about the named user of the session: a session that a key opened has none. */
const OWN: ReadonlySet<Permission> = new Set(['ownUsage:read', 'ownMachines:read', 'ownMachines:approve']);

/** The permissions that the console makes offers for. */
export const offeredTo = ({ role, permissions }: Grants): readonly Permission[] =>
  role === null ? permissions.filter((permission) => !OWN.has(permission)) : permissions;

/** Whether the session has a permission. The server checks every call; this decides what the console offers. */
export const usePermission = (permission: Permission): boolean => use(Permissions).includes(permission);

/** Renders the children only if the session has the permission. */
export const Allowed = ({ to, children }: { to: Permission; children: ReactNode }) => (usePermission(to) ? children : null);

type FigureLinkProps = { needs: Permission; to: string; label?: string; children: ReactNode };

/** A figure as a link to what it counts, where the session may see that; else the figure alone. */
export const FigureLink = ({ needs, to, label, children }: FigureLinkProps) =>
  usePermission(needs) ? (
    <Link className="figure-link" to={to} {...(label && { 'aria-label': label })}>
      {children}
    </Link>
  ) : (
    children
  );

/** The items that need no permission, and those whose permission the session has. */
export const usePermitted = <Item extends { needs?: Permission }>(items: readonly Item[]): readonly Item[] => {
  const permissions = use(Permissions);
  return items.filter(({ needs }) => needs === undefined || permissions.includes(needs));
};
