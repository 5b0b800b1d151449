import { useCallback, useEffect, useMemo } from 'react';
import { isTimeZone } from '../../../../../src/contracts/timeZones.ts';
import type { UsageRange } from '../../../../../src/contracts/usage.ts';
import { isService } from '../../../../../src/domain/enumerations.ts';
import { DEFAULT_USAGE_RANGE, FIRST_USAGE_DAY, MAX_USAGE_DAYS, USAGE_RANGES } from '../../../../../src/domain/limits.ts';
import { DAY_MS } from '../../../../../src/domain/time.ts';
import { format } from '../../../lib/format.ts';
import { dayIn, idIn, useListAddress } from '../../../lib/listAddress.ts';
import type { CustomRange, PartFilter, UsageChoice } from '../api/choice.ts';

/** Why a custom range cannot be shown; null if it can. */
export const faultOf = ({ from, to }: CustomRange): 'incomplete' | 'order' | 'tooLong' | 'tooEarly' | null => {
  if (from === '' || to === '') return 'incomplete';
  if (from > to) return 'order';
  if (from < FIRST_USAGE_DAY) return 'tooEarly';
  return (Date.parse(to) - Date.parse(from)) / DAY_MS >= MAX_USAGE_DAYS ? 'tooLong' : null;
};

const wordIn = (typed: string | null, isValid: (word: string) => boolean): string =>
  typed !== null && isValid(typed) ? typed : '';

/** The filters of an address. What a user edited into something invalid does not filter. */
const filterIn = (address: URLSearchParams): PartFilter => {
  const found: PartFilter = {
    userId: idIn(address.get('user')),
    service: wordIn(address.get('service'), isService),
    operation: address.get('operation')?.trim() ?? '',
    instanceUrl: address.get('instance')?.trim() ?? '',
    reason: wordIn(address.get('reason'), (word) => /^([1-5]\d\d|none)$/.test(word)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
};

/** The name of each filter in the address. */
const NAMES = { userId: 'user', service: 'service', operation: 'operation', instanceUrl: 'instance', reason: 'reason' } as const;
/** What the calls can be limited by. */
export type FilterKind = keyof typeof NAMES;
/** In the order of the screen. */
export const FILTER_KINDS: readonly FilterKind[] = ['userId', 'service', 'operation', 'instanceUrl', 'reason'];

/** The choice of an address, by default the last 30 days in the browser's time zone. What a user edited into something invalid is ignored. */
export const choiceIn = (address: URLSearchParams): UsageChoice => {
  const asked = Number(address.get('days'));
  const days = USAGE_RANGES.find((range) => range === asked) ?? DEFAULT_USAGE_RANGE;
  const custom = { from: dayIn(address.get('from')), to: dayIn(address.get('to')) };
  const zone = address.get('zone') ?? '';
  return {
    days,
    custom: faultOf(custom) === null ? custom : null,
    zone: zone !== '' && isTimeZone(zone) ? zone : format.zone,
    isCompared: address.get('compare') === 'previous',
    filter: filterIn(address),
  };
};

/** The same screen with the last 30 days. */
const last30In = (address: URLSearchParams): string => {
  const next = new URLSearchParams(address);
  for (const name of ['days', 'from', 'to']) next.delete(name);
  return `?${next}`;
};

/** The choice of the address, which always names the time zone, so that a link shows the same to every user. */
export const useUsageChoice = () => {
  const { address, change } = useListAddress();
  const choice = useMemo(() => choiceIn(address), [address]);
  const { zone } = choice;
  const isNamed = address.get('zone') === zone;
  useEffect(() => {
    if (!isNamed) change({ zone });
  }, [isNamed, zone, change]);
  return {
    choice,
    /** The address of the screen with the last 30 days; null if they are the range. */
    last30: choice.custom || choice.days !== DEFAULT_USAGE_RANGE ? last30In(address) : null,
    chooseDays: useCallback(
      (days: UsageRange) => change({ days: days === DEFAULT_USAGE_RANGE ? '' : String(days), from: '', to: '' }),
      [change],
    ),
    chooseCustom: useCallback((custom: CustomRange) => change({ days: '', ...custom }), [change]),
    chooseZone: useCallback((name: string) => change({ zone: name }), [change]),
    filterBy: useCallback((kind: FilterKind, value: string) => change({ [NAMES[kind]]: value }), [change]),
    clearFilters: useCallback(() => change(Object.fromEntries(Object.values(NAMES).map((name) => [name, '']))), [change]),
    compare: useCallback((on: boolean) => change({ compare: on ? 'previous' : '' }), [change]),
  };
};
