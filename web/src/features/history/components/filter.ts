import { oneOf } from '../../../lib/listAddress.ts';
import type { HistoryFilter } from '../api/history.ts';
import { historyTexts } from '../texts.ts';

/** The filter as in the address: `actor` is a kind of actor or the id of a named user, and days are in the browser's time zone. */
export type TypedFilter = { search: string; type: string; actor: string; about: string; from: string; to: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ACTORS = ['', 'admin', 'integrator', 'customer', 'user', 'system'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPES = Object.values(historyTexts.groups).flatMap(Object.values).flatMap(Object.keys);

const dayOr = (typed: string | null): string =>
  typed !== null && DAY.test(typed) && !Number.isNaN(Date.parse(`${typed}T00:00:00`)) ? typed : '';

const idOr = (typed: string | null): string => (typed !== null && UUID.test(typed) ? typed : '');

export const typedFilterIn = (address: URLSearchParams): TypedFilter => ({
  search: address.get('search') ?? '',
  type: oneOf(TYPES, address.get('type'), ''),
  actor: idOr(address.get('actor')) || oneOf(ACTORS, address.get('actor'), ''),
  about: idOr(address.get('about')),
  from: dayOr(address.get('from')),
  to: dayOr(address.get('to')),
});

/** The filter as the server expects it: a range of days becomes a range of moments. */
export const filterOf = ({ search, type, actor, about, from, to }: TypedFilter): HistoryFilter => ({
  search,
  type,
  actor: oneOf(ACTORS, actor, ''),
  user: idOr(actor),
  about,
  from: from && new Date(`${from}T00:00:00`).toISOString(),
  to: to && new Date(`${to}T23:59:59.999`).toISOString(),
});

export const isFiltered = (typed: TypedFilter): boolean => Object.values(typed).some((value) => value !== '');
