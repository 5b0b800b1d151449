import type { DailyUsage, Usage, UsagePart } from '../../../../../src/contracts/usage.ts';
import { callsAddress } from '../../calls/index.ts';
import type { PartFilter } from '../api/choice.ts';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import type { NamedPart } from './PartsCard.tsx';
import type { FilterKind } from './usageAddress.ts';

type CallFilters = Parameters<typeof callsAddress>[1];

/** The address of the list of single calls with a filter. */
export type CallsOf = (filters: CallFilters) => string;

/** The addresses of a list of calls; `always` is the customer where the list has several. */
export const callsAt =
  (path: string, always: CallFilters = {}): CallsOf =>
  (filters) =>
    callsAddress(path, { ...always, ...filters });

/** The filters of the list of calls that leave the same calls. */
const callFilters = ({ userId, service, operation, instanceUrl, reason }: PartFilter): CallFilters => ({
  ...(userId && { user: userId }),
  ...(service && { service }),
  ...(operation && { operation }),
  ...(instanceUrl && { instance: instanceUrl }),
  ...(reason && { status: reason, outcome: 'failed' }),
});

/** The addresses of a list of calls with the filters of the screen. */
export const callsWith =
  (callsOf: CallsOf, filter: PartFilter): CallsOf =>
  (filters) =>
    callsOf({ ...callFilters(filter), ...filters });

/** The calls from an instant until before another. */
export const periodOf = (from: string, to: string): CallFilters => ({
  from,
  to: new Date(Date.parse(to) - 1).toISOString(),
});

/**
 * The addresses of the calls that the figures of a range count, by figure; none where the session may not see calls. `last30` is that of
 * the usage of the last 30 days; null if they are the range.
 */
export const countedBy = (
  { daily, peakUsageDay = null }: { daily: readonly Pick<DailyUsage, 'day' | 'from' | 'to'>[]; peakUsageDay?: string | null },
  callsOf: CallsOf | null,
  last30: string | null = null,
): Readonly<Partial<Record<string, string>>> => {
  if (callsOf === null) return last30 === null ? {} : { apiCallsLast30Days: last30 };
  const range = periodOf(daily[0]?.from ?? '', daily.at(-1)?.to ?? '');
  const peak = daily.find(({ day }) => day === peakUsageDay);
  const all = callsOf(range);
  const failed = callsOf({ ...range, outcome: 'failed' });
  return {
    totalApiCalls: all,
    apiCallsLast30Days: last30 ?? all,
    totalErrors: failed,
    errorRate: failed,
    successRate: callsOf({ ...range, outcome: 'successful' }),
    ...(peak && { peakUsageDay: callsOf(periodOf(peak.from, peak.to)) }),
  };
};

const { parts: texts } = usageScreenTexts;
const SERVICES: Partial<Record<string, string>> = usageTexts.services;

/** What a value of a filter is called; a user by the breakdown, where it is known. */
export const nameOfValue = (kind: FilterKind, value: string, users: Usage['users']): string => {
  switch (kind) {
    case 'userId':
      return users?.find(({ key }) => key === value)?.username ?? texts.removedUser;
    case 'service':
      return SERVICES[value] ?? value;
    case 'reason':
      return value === 'none' ? texts.noStatus : value;
    default:
      return value;
  }
};

/** What the parts of a breakdown are called, and the filter of their calls. */
const MEANINGS: Record<
  'operations' | 'services' | 'reasons',
  { name: (key: string) => string; filter: (key: string) => CallFilters }
> = {
  operations: { name: (key) => key, filter: (operation) => ({ operation }) },
  services: { name: (key) => SERVICES[key] ?? key, filter: (service) => ({ service }) },
  reasons: {
    name: (key) => (key === 'none' ? texts.noStatus : key),
    filter: (status) => ({ status, outcome: 'failed' }),
  },
};

const named = (part: UsagePart, name: string | null, to: string | null): NamedPart => ({
  ...part,
  name: part.key === null ? texts.others : (name ?? texts.removedUser),
  to: part.key === null ? null : to,
});

/** The parts of each breakdown with their names, and with the addresses of their calls. */
export const namedParts = (usage: Usage, callsOf: CallsOf | null) => {
  const range = periodOf(usage.daily[0]?.from ?? '', usage.daily.at(-1)?.to ?? '');
  const of = (breakdown: keyof typeof MEANINGS): NamedPart[] =>
    usage[breakdown].map((part) => {
      const { name, filter } = MEANINGS[breakdown];
      const key = part.key ?? '';
      return named(part, name(key), callsOf?.({ ...range, ...filter(key) }) ?? null);
    });
  return {
    operations: of('operations'),
    services: of('services'),
    reasons: of('reasons'),
    users: usage.users?.map((part) => named(part, part.username, callsOf?.({ ...range, user: part.key ?? '' }) ?? null)) ?? null,
  };
};
