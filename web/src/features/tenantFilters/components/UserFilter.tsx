import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { UsersReply } from '../../../../../src/contracts/users.ts';
import { api } from '../../../api/client.ts';
import { usersPath } from '../../../api/usersPath.ts';
import type { Area } from '../../../areas.ts';
import { tenantFilterTexts as texts } from '../texts.ts';
import { SearchFilter } from './SearchFilter.tsx';

/** Number of suggestions; a search finds the others. */
const MAX_CHOICES = 20;

/** Below no topic on purpose: each connection of a tool changes users, but not their names. */
const choicesQuery = (area: Area, customerId: string, search: string) =>
  queryOptions({
    queryKey: ['choices of users', area, customerId, search],
    queryFn: ({ signal }) =>
      api.get<UsersReply>(usersPath[area], {
        query: { search, customerId, sort: 'username', limit: MAX_CHOICES },
        signal,
        fallback: texts.usersFailed,
      }),
    placeholderData: keepPreviousData,
  });

type UserFilterProps = {
  area: Area;
  /** Empty for the users of all customers. */
  customerId: string;
  /** Empty for all users. */
  userId: string;
  /** The name of the user, where the list has it. */
  found: string | null | undefined;
  onChange: (userId: string) => void;
};

/** Limits a list to one user of the command-line tool, who is searched by name. */
export const UserFilter = ({ area, customerId, userId, found, onChange }: UserFilterProps) => {
  const isOfSeveral = area !== 'portal' && customerId === '';
  return (
    <SearchFilter
      texts={texts.user}
      value={userId}
      found={found}
      queryOf={(search) => choicesQuery(area, customerId, search)}
      choicesOf={({ users, total }: UsersReply) => ({
        options: users.map(({ id, username, customerName }) => ({
          value: id,
          label: isOfSeveral ? `${username} (${customerName})` : username,
        })),
        total,
      })}
      onChange={onChange}
    />
  );
};
