import { useCallback } from 'react';
import { useLocation } from 'react-router-dom';
import { dayIn, endOfDay, idIn, localDayOf, oneOf, startOfDay, useAddress } from '../../../lib/listAddress.ts';
import { historyTexts, typeLabels } from '../../history/index.ts';
import type { AuditFilter } from '../api/audit.ts';

/** The kinds of authors. */
export const ACTORS = ['admin', 'integrator', 'customer', 'user', 'system'] as const;

/** The filter as in the address: days are in the browser's time zone, and `actor` is a kind of author or a named user's id. */
export type TypedAudit = { search: string; types: string; actor: string; customer: string; from: string; to: string };

/** Nothing is filtered. */
export const NO_FILTERS: TypedAudit = { search: '', types: '', actor: '', customer: '', from: '', to: '' };

/** The known types of an address, each once. */
export const typesIn = (typed: string): string[] =>
  [...new Set(typed.split(','))].filter((type) => Object.hasOwn(typeLabels, type));

export const typedAuditIn = (address: URLSearchParams): TypedAudit => ({
  search: address.get('search') ?? '',
  types: typesIn(address.get('types') ?? '').join(','),
  actor: idIn(address.get('actor')) || oneOf(['', ...ACTORS], address.get('actor'), ''),
  customer: idIn(address.get('customer')),
  from: dayIn(address.get('from')),
  to: dayIn(address.get('to')),
});

/** The filter as the server expects it. */
export const filterOf = ({ search, types, actor, customer, from, to }: TypedAudit): AuditFilter => ({
  search,
  types,
  actor: oneOf(['', ...ACTORS], actor, ''),
  user: idIn(actor),
  customer,
  from: startOfDay(from),
  to: endOfDay(to),
});

/** Whether anything is filtered. */
export const isFiltered = (typed: TypedAudit): boolean => Object.values(typed).some((value) => value !== '');

/** The filters as the search of an address. */
export const searchOf = (typed: Partial<TypedAudit>): string => {
  const search = new URLSearchParams(Object.entries(typed).filter(([, value]) => value !== ''));
  return search.toString();
};

const { groups } = historyTexts;
const typesOf = (...chosen: readonly (Readonly<Record<string, string>> | undefined)[]): string =>
  [...new Set(chosen.flatMap((group) => Object.keys(group ?? {})))].join(',');

const USERS = /^(Member(?!Password|Sessions)|Invitation|IdentityLinked)/;
const teamTypes = Object.keys(groups.customer.Team ?? {});

/** The first day of the browser's current week, which begins on Monday, as yyyy-mm-dd. */
const monday = (): string => {
  const now = new Date();
  return localDayOf(now, -((now.getDay() + 6) % 7));
};

/** Filters that are chosen together. */
export const PRESETS = {
  all: () => NO_FILTERS,
  licenses: () => ({ ...NO_FILTERS, types: typesOf(groups.customer.License, groups.customer.Seats, groups.integrator.Account) }),
  users: () => {
    const users = Object.keys(groups.customer.Users ?? {}).filter(
      (type) => type.startsWith('User') && type !== 'UserAuthenticated',
    );
    return { ...NO_FILTERS, types: [...users, ...teamTypes.filter((type) => USERS.test(type))].join(',') };
  },
  security: () => {
    const team = teamTypes.filter((type) => !USERS.test(type));
    const users = Object.keys(groups.customer.Users ?? {}).filter(
      (type) => type.startsWith('Machine') || type === 'UserMachineChanged' || type === 'OfflineLicenseIssued',
    );
    const keys = ['LicenseKeyRotated', 'MasterLicenseKeyRotated', 'AdminKeyRotated', 'PasswordChanged', 'PasswordReset'];
    return { ...NO_FILTERS, types: [...keys, ...users, ...team].join(',') };
  },
  week: () => ({ ...NO_FILTERS, from: monday() }),
} as const satisfies Record<string, () => TypedAudit>;
export type Preset = keyof typeof PRESETS;

/** The preset that an address is; null for other filters. */
export const presetOf = (typed: TypedAudit): Preset | null =>
  (Object.keys(PRESETS) as Preset[]).find((preset) => searchOf(PRESETS[preset]()) === searchOf(typed)) ?? null;

/** The entry that the address names, how to open another one without leaving the page, and its permalink. */
export const useEntry = () => {
  const { state } = useLocation();
  const { address, change } = useAddress({ preventScrollReset: true, state });
  const open = useCallback((id: string | null) => change({ entry: id ?? '' }), [change]);
  return { id: idIn(address.get('entry')), open };
};
