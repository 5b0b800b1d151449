import { dayIn, endOfDay, idIn, oneOf, startOfDay } from '../../../lib/listAddress.ts';
import type { HistoryFilter, HistorySource } from '../api/history.ts';
import { historyTexts } from '../texts.ts';

/** The filter as in the address: `actor` is a kind of actor or the id of a named user, and days are in the browser's time zone. */
export type TypedFilter = { search: string; type: string; actor: string; about: string; from: string; to: string };

const ACTORS = ['', 'admin', 'integrator', 'customer', 'user', 'system'] as const;
const TYPES = Object.values(historyTexts.groups).flatMap(Object.values).flatMap(Object.keys);

export const typedFilterIn = (address: URLSearchParams): TypedFilter => ({
  search: address.get('search') ?? '',
  type: oneOf(TYPES, address.get('type'), ''),
  actor: idIn(address.get('actor')) || oneOf(ACTORS, address.get('actor'), ''),
  about: idIn(address.get('about')),
  from: dayIn(address.get('from')),
  to: dayIn(address.get('to')),
});

/** The filter as the server expects it: a range of days becomes a range of moments. */
const filterOf = ({ search, type, actor, about, from, to }: TypedFilter): HistoryFilter => ({
  search,
  type,
  actor: oneOf(ACTORS, actor, ''),
  user: idIn(actor),
  about,
  from: startOfDay(from),
  to: endOfDay(to),
});

/** What the card of a history shows. */
export type HistoryCardProps = {
  source: HistorySource;
  /** Leaves out later entries; ISO-8601 UTC. */
  until?: string;
};

/** The filter without entries after `until`. */
export const boundedFilterOf = (typed: TypedFilter, until: string | undefined): HistoryFilter => {
  const filter = filterOf(typed);
  return until !== undefined && (!filter.to || until < filter.to) ? { ...filter, to: until } : filter;
};

export const isFiltered = (typed: TypedFilter): boolean => Object.values(typed).some((value) => value !== '');
