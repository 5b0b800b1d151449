import { format } from '../../../lib/format.ts';
import type { Series } from '../../../ui/charts/chartParts.tsx';
import type { Drawing } from '../api/charts.ts';
import { type PART_VALUES, type Part, partKey, TOTAL_COLOR } from '../api/parts.ts';
import type { ChartView } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';
import type { SeriesFilters } from './useSeriesChoice.ts';

const { calls, latency, users, lag, parts: partTexts, period: periodTexts } = monitoringTexts;

/** A chart with its card. */
export type Panel = Readonly<{
  title: string;
  sub: string;
  /** The chart's name, for screen readers. */
  chart: string;
  series: readonly Series[];
  /** The series that are compared with the previous period. */
  compared: readonly string[];
  /** Whether the series are named in the head of the card, and not in the list of parts. */
  hasKeys: boolean;
  /** Whether filters do not apply to it, because it is not counted by what they filter. */
  isUnfiltered?: boolean;
  /** The filters of its parts, where it is divided. */
  filters?: SeriesFilters;
  /** Whether it shows failed calls only. */
  isFailed?: boolean;
  formatValue: (value: number) => string;
  formatAxis?: (value: number) => string;
}>;

const ms = { formatValue: format.duration, formatAxis: format.whole };
/** Rates of long periods are small. */
const rate = { formatValue: format.rate, formatAxis: (value: number) => (value < 1 ? format.rate(value) : format.short(value)) };

const wholePanels: readonly Panel[] = [
  {
    ...calls,
    series: [
      { key: 'successful', name: calls.successful, color: 'chart-1' },
      { key: 'failed', name: calls.failed, color: 'chart-6' },
    ],
    compared: ['successful', 'failed'],
    hasKeys: true,
    ...rate,
  },
  {
    ...latency,
    series: [
      { key: 'p50', name: 'p50', color: 'chart-5', kind: 'line' },
      { key: 'p95', name: 'p95', color: 'chart-3', kind: 'line' },
      { key: 'p99', name: 'p99', color: 'chart-6', kind: 'line' },
    ],
    compared: ['p95'],
    hasKeys: true,
    ...ms,
  },
];

const serverPanels: readonly Panel[] = [
  {
    ...users,
    series: [{ key: 'connectedUsers', name: users.series, color: 'chart-2' }],
    compared: ['connectedUsers'],
    hasKeys: true,
    isUnfiltered: true,
    formatValue: format.whole,
  },
  {
    ...lag,
    series: [{ key: 'projectionLagMs', name: lag.series, color: 'chart-4' }],
    compared: ['projectionLagMs'],
    hasKeys: true,
    isUnfiltered: true,
    ...ms,
  },
];

const partSeries = (value: (typeof PART_VALUES)[number], parts: readonly Part[]): Series[] =>
  parts.map((part) => ({ key: partKey(value, part), name: part.name, color: part.color, ...(part.kind && { kind: part.kind }) }));

/** The total is drawn to be compared with that of the previous period: the parts of the two may differ. */
const partPanel = (value: (typeof PART_VALUES)[number], parts: readonly Part[], isCompared: boolean) => ({
  series: [
    // First, so that it does not cover a part that is the only one.
    ...(isCompared ? [{ key: value, name: partTexts.total, color: TOTAL_COLOR, kind: 'line' as const }] : []),
    ...partSeries(value, parts),
  ],
  compared: [value],
  filters: new Map(parts.flatMap((part) => (part.filter ? [[partKey(value, part), part.filter]] : []))),
  hasKeys: false,
});

const partPanels = (parts: readonly Part[], isCompared: boolean): readonly Panel[] => [
  { ...partTexts.calls, ...partPanel('calls', parts, isCompared), ...rate },
  { ...partTexts.failed, ...partPanel('failed', parts, isCompared), isFailed: true, ...rate },
  { ...partTexts.latency, ...partPanel('p95', parts, isCompared), ...ms },
];

/** The charts of a drawing: the calls divided or not, and the state of the server. */
export const panelsOf = ({ parts }: Drawing, { isCompared }: Pick<ChartView, 'isCompared'>): readonly Panel[] => [
  ...(parts ? partPanels(parts, isCompared) : wholePanels),
  ...serverPanels,
];

/** The series of a panel, below them dashed ones of the previous period. */
export const seriesOf = ({ series, compared }: Panel, { isCompared }: ChartView): readonly Series[] =>
  isCompared
    ? [
        ...series
          .filter(({ key }) => compared.includes(key))
          .map(
            ({ key, name, color }): Series => ({ key: `previous.${key}`, name: periodTexts.previous(name), color, kind: 'dashed' }),
          ),
        ...series,
      ]
    : series;
