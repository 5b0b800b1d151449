import type { QueryClient } from '@tanstack/react-query';
import type { ScreenAddress } from '../../../app/lazyScreen.tsx';
import { usersQuery } from '../api/users.ts';
import { UsersView, userFilterIn } from './UsersView.tsx';

export const prefetchPortalUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('portal', userFilterIn(search)));
export const prefetchIntegratorUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('integrator', userFilterIn(search)));

export const PortalUsersScreen = () => <UsersView audience="portal" />;
export const IntegratorUsersScreen = () => <UsersView audience="integrator" />;
