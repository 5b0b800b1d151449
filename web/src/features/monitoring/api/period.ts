import { useMemo } from 'react';
import { CHART_RANGES, type ChartRange } from '../../../../../src/contracts/chartSpans.ts';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';

const RANGES = Object.keys(CHART_RANGES) as ChartRange[]; // the keys of a constant

/**
 * The period of the charts: a range until now, or a custom period within it, in ms since 1970. `range` is what a custom period returns
 * to. `isCompared`: the previous period of the same length is shown too.
 */
export type ChartPeriod = Readonly<{ range: ChartRange; custom: { from: number; to: number } | null; isCompared: boolean }>;

/** The length of a period, in ms. */
export const lengthOf = ({ range, custom }: ChartPeriod): number => (custom ? custom.to - custom.from : CHART_RANGES[range] * 1000);

const instantIn = (typed: string | null): number => (typed === null ? Number.NaN : Date.parse(typed));

const periodIn = (address: URLSearchParams): ChartPeriod => {
  const [from, to] = [instantIn(address.get('from')), instantIn(address.get('to'))];
  return {
    range: oneOf(RANGES, address.get('window'), '15m'),
    custom: from < to ? { from, to } : null,
    isCompared: address.get('compare') === 'previous',
  };
};

const addressOf = (at: number): string => new Date(at).toISOString();

/** The period of the charts, kept in the address. */
export const useChartPeriod = () => {
  const { address, change } = useListAddress();
  return {
    period: useMemo(() => periodIn(address), [address]),
    chooseRange: (range: ChartRange): void => change({ window: range === '15m' ? '' : range, from: '', to: '' }),
    choosePeriod: (from: number, to: number): void => change({ from: addressOf(from), to: addressOf(to) }),
    compare: (isCompared: boolean): void => change({ compare: isCompared ? 'previous' : '' }),
  };
};
