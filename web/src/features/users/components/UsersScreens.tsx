import type { QueryClient } from '@tanstack/react-query';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { usersQuery } from '../api/users.ts';
import { UsersView, userFilterIn } from './UsersView.tsx';

export const prefetchAdminUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('admin', userFilterIn(search)));
export const prefetchPortalUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('portal', userFilterIn(search)));
export const prefetchIntegratorUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('integrator', userFilterIn(search)));

export const AdminUsersScreen = () => <UsersView area="admin" />;
export const PortalUsersScreen = () => <UsersView area="portal" />;
export const IntegratorUsersScreen = () => <UsersView area="integrator" />;
