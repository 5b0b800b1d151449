import { useMemo } from 'react';
import { CHART_RANGES, type ChartRange } from '../../../../../src/contracts/chartSpans.ts';
import type { ChartDimension, ChartFilter } from '../../../../../src/contracts/charts.ts';
import { SERVICES } from '../../../../../src/domain/enumerations.ts';
import { idIn, oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { arrivedIn } from './arrivals.ts';

const RANGES = Object.keys(CHART_RANGES) as ChartRange[]; // the keys of a constant
/** What calls can be divided by, in the order of the screen. */
export const DIMENSIONS = [
  'service',
  'operation',
  'outcome',
  'integrator',
  'customer',
  'instance',
] as const satisfies readonly ChartDimension[];
const OUTCOMES: readonly ChartFilter['outcome'][] = ['1xx', '2xx', '3xx', '4xx', '5xx', 'success', 'error'];

/** Limits the charts to the calls to which all values apply. */
export type ViewFilter = Readonly<Partial<Record<ChartDimension, string>>>;

/**
 * What the charts show: a range until now, or a custom period within it, in ms since 1970. `range` is what a custom period returns to.
 * `isCompared`: the previous period of the same length is shown too. `by` divides the calls of the filter.
 */
export type ChartView = Readonly<{
  range: ChartRange;
  custom: { from: number; to: number } | null;
  isCompared: boolean;
  by: ChartDimension | null;
  filter: ViewFilter;
}>;

/** The length of a period, in ms. */
export const lengthOf = ({ range, custom }: ChartView): number => (custom ? custom.to - custom.from : CHART_RANGES[range] * 1000);

const addressOf = (at: number): string => new Date(at).toISOString();
const instantIn = (typed: string | null): number => (typed === null ? Number.NaN : Date.parse(typed));

const filterIn = (address: URLSearchParams): ViewFilter => {
  const found = {
    integrator: idIn(address.get('integrator')),
    customer: idIn(address.get('customer')),
    service: SERVICES.find((service) => service === address.get('service')),
    operation: address.get('operation') ?? '',
    outcome: OUTCOMES.find((outcome) => outcome === address.get('outcome')),
    instance: address.has('customer') ? (address.get('instance') ?? '') : '',
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ''));
};

const viewIn = (address: URLSearchParams): ChartView => {
  const [from, to] = [instantIn(address.get('from')), instantIn(address.get('to'))];
  return {
    range: oneOf(RANGES, address.get('window'), '15m'),
    custom: from < to ? { from, to } : null,
    isCompared: address.get('compare') === 'previous',
    by: DIMENSIONS.find((dimension) => dimension === address.get('by')) ?? null,
    filter: filterIn(address),
  };
};

/** A list of calls has the class of the status and the success as filters of their own. */
const outcomeFilters = (outcome: string): Readonly<Record<string, string>> => {
  if (outcome === 'success') return { status: 'none', outcome: 'successful' };
  return outcome === 'error' ? { status: 'none', outcome: 'failed' } : { status: outcome };
};

/** The filters that list the calls of the charts, of any time. */
const filtersOf = ({ filter: { outcome, ...filter } }: ChartView): Readonly<Record<string, string>> => ({
  ...filter,
  ...(outcome !== undefined && outcomeFilters(outcome)),
});

/** The filters that list the calls of the charts, in their period. */
export const callsOf = (view: ChartView): Readonly<Record<string, string>> => {
  const { range, custom } = view;
  return {
    ...filtersOf(view),
    ...(custom ? { from: addressOf(custom.from), to: addressOf(custom.to) } : { window: range }),
  };
};

/** The filters that list the calls of a point of the charts; `isFailed` those of a chart that shows only failed calls. */
export const callsAt = (view: ChartView, at: number, stepMs: number, isFailed: boolean): Readonly<Record<string, string>> => ({
  ...filtersOf(view),
  ...arrivedIn(at, stepMs),
  ...(isFailed && { outcome: 'failed' }),
});

/** Whether the charts show all calls. */
export const isWhole = ({ by, filter }: ChartView): boolean => by === null && Object.keys(filter).length === 0;

/** What the charts show, kept in the address. The choices are the same functions until the address changes. */
export const useChartView = () => {
  const { address, change } = useListAddress();
  const choices = useMemo(
    () => ({
      chooseRange: (range: ChartRange): void => change({ window: range === '15m' ? '' : range, from: '', to: '' }, 'new'),
      choosePeriod: (from: number, to: number): void => change({ from: addressOf(from), to: addressOf(to) }, 'new'),
      compare: (isCompared: boolean): void => change({ compare: isCompared ? 'previous' : '' }),
      divide: (by: ChartDimension | ''): void => change({ by }, 'new'),
      /** Limits the charts to a part, whose calls are then shown undivided. */
      filterBy: (part: ViewFilter): void => change({ by: '', ...part }, 'new'),
      /** An instance belongs to its customer, so it is removed with it. */
      removeFilter: (dimension: ChartDimension): void =>
        change({ [dimension]: '', ...(dimension === 'customer' && { instance: '' }) }, 'new'),
    }),
    [change],
  );
  return { view: useMemo(() => viewIn(address), [address]), choices };
};
/** How the user changes what the charts show. */
export type ChartChoices = ReturnType<typeof useChartView>['choices'];
