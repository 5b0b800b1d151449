import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AsOfReply, IntegratorAsOfReply } from '../../../../../src/contracts/history.ts';
import type { UsageReply } from '../../../../../src/contracts/usage.ts';
import { api } from '../../../api/client.ts';
import { format } from '../../../lib/format.ts';
import { asOfTexts } from '../asOfTexts.ts';
import { type AsOfSource, topicOf } from './history.ts';

const asOfQuery = <Reply>(source: AsOfSource, at: string, other: string | null) =>
  queryOptions({
    queryKey: [...topicOf(source), 'as of', at, other],
    queryFn: ({ signal }) =>
      api.get<Reply>(`${source.path}/as-of`, {
        query: { at, compareTo: other ?? new Date().toISOString() },
        signal,
        fallback: asOfTexts.asOfFailed[source.kind],
      }),
    placeholderData: keepPreviousData,
  });

/** The customer at a time, and its differences from another time; without one, from now. */
export const customerAsOfQuery = (source: AsOfSource, at: string, other: string | null) => asOfQuery<AsOfReply>(source, at, other);

/** The service integrator at a time, and its differences from another time; without one, from now. */
export const integratorAsOfQuery = (source: AsOfSource, at: string, other: string | null) =>
  asOfQuery<IntegratorAsOfReply>(source, at, other);

/** How many days of usage are shown with a moment, up to it. */
export const USAGE_DAYS = 30;

/** The usage of the days up to a moment, which are those of the browser's time zone. */
export const usageUntilQuery = (source: AsOfSource, at: string) =>
  queryOptions({
    queryKey: [...topicOf(source), 'usage until', at],
    queryFn: ({ signal }) =>
      api.get<UsageReply>(`${source.path}/usage`, {
        query: { days: USAGE_DAYS, until: at, zone: format.zone },
        signal,
        fallback: asOfTexts.usageThenFailed,
      }),
    placeholderData: keepPreviousData,
  });
