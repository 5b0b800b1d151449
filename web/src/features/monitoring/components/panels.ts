import type { ChartDimension } from '../../../../../src/contracts/charts.ts';
import { format } from '../../../lib/format.ts';
import { localDayOf } from '../../../lib/listAddress.ts';
import type { Series } from '../../../ui/charts/chartParts.tsx';
import { callsAddress } from '../../calls/index.ts';
import type { Drawing } from '../api/charts.ts';
import { type ConnectedPart, type Part, partKey, TOTAL_COLOR } from '../api/parts.ts';
import { type ChartView, callsAt } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';
import type { SeriesTarget, SeriesTargets } from './useSeriesChoice.ts';

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
  /** The filters that apply to it; all unless they are given, as it is not counted by what others filter. */
  filteredBy?: readonly ChartDimension[];
  /** What its series open, where that is not the same for all. */
  targets?: SeriesTargets;
  /** What a point opens: calls, the failed ones, users, or what the lag delayed. */
  opens: 'calls' | 'failed' | 'users' | 'delayed';
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
    opens: 'calls',
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
    opens: 'calls',
    ...ms,
  },
];

const usersPanel = {
  ...users,
  filteredBy: ['customer', 'integrator'],
  hasKeys: true,
  opens: 'users',
  formatValue: format.whole,
} as const;

const wholeUsersPanel: Panel = {
  ...usersPanel,
  series: [{ key: 'connectedUsers', name: users.series, color: 'chart-2' }],
  compared: ['connectedUsers'],
};

/** The target of the changes that the main group of projections applies. */
const CHANGES = 'changes';

const lagPanel: Panel = {
  ...lag,
  series: [
    { key: 'mainLagMs', name: lag.groups.main, color: 'chart-4', kind: 'line' },
    { key: 'usageLagMs', name: lag.groups.usage, color: 'chart-1', kind: 'line' },
  ],
  compared: ['mainLagMs', 'usageLagMs'],
  hasKeys: true,
  filteredBy: [],
  targets: new Map([
    ['mainLagMs', { id: CHANGES, filter: {}, note: lag.opensChanges }],
    ['usageLagMs', { id: 'calls', filter: {}, note: lag.opensCalls }],
  ]),
  opens: 'delayed',
  ...ms,
};

type PartValue = Parameters<typeof partKey>[0];

const partSeries = (value: PartValue, parts: readonly ConnectedPart[]): Series[] =>
  parts.map((part) => ({ key: partKey(value, part), name: part.name, color: part.color, ...(part.kind && { kind: part.kind }) }));

/** A list cannot leave out parts, so the others open all. */
const targetOf = ({ filter }: ConnectedPart): SeriesTarget =>
  filter ? { id: JSON.stringify(filter), filter } : { id: 'others', filter: {}, note: partTexts.opensAll };

/** The total is drawn to be compared with that of the previous period: the parts of the two may differ. */
const partPanel = (value: PartValue, parts: readonly ConnectedPart[], isCompared: boolean) => ({
  series: [
    // First, so that it does not cover a part that is the only one.
    ...(isCompared ? [{ key: value, name: partTexts.total, color: TOTAL_COLOR, kind: 'line' as const }] : []),
    ...partSeries(value, parts),
  ],
  compared: [value],
  targets: new Map(parts.map((part) => [partKey(value, part), targetOf(part)])),
});

const partPanels = (parts: readonly Part[], isCompared: boolean): readonly Panel[] => [
  { ...partTexts.calls, ...partPanel('calls', parts, isCompared), hasKeys: false, opens: 'calls', ...rate },
  { ...partTexts.failed, ...partPanel('failed', parts, isCompared), hasKeys: false, opens: 'failed', ...rate },
  { ...partTexts.latency, ...partPanel('p95', parts, isCompared), hasKeys: false, opens: 'calls', ...ms },
];

/** The charts of a drawing: the calls divided or not, and the state of the server. */
export const panelsOf = ({ parts, connected }: Drawing, { isCompared }: Pick<ChartView, 'isCompared'>): readonly Panel[] => [
  ...(parts ? partPanels(parts, isCompared) : wholePanels),
  connected ? { ...usersPanel, ...partPanel('connectedUsers', connected, isCompared) } : wholeUsersPanel,
  lagPanel,
];

/** Whether a filter is set, but none that applies to the panel. */
export const isUnfiltered = ({ filteredBy }: Panel, { filter }: ChartView): boolean =>
  filteredBy !== undefined && Object.keys(filter).length > 0 && filteredBy.every((dimension) => filter[dimension] === undefined);

/** The address of what a point of a panel counts, or a part of it. */
export const addressOf = ({ opens }: Panel, view: ChartView, at: number, stepMs: number, target?: SeriesTarget): string => {
  const shown = { ...view, filter: { ...view.filter, ...target?.filter } };
  const calls = (of: ChartView) => callsAddress('/admin/monitoring/calls', callsAt(of, at, stepMs, opens === 'failed'));
  switch (opens) {
    case 'calls':
    case 'failed':
      return calls(shown);
    case 'users': {
      const { customer, integrator } = shown.filter;
      if (customer !== undefined) return `/admin/users?customer=${customer}`;
      return integrator === undefined ? '/admin/users' : `/admin/customers?integrator=${integrator}`;
    }
    case 'delayed': {
      if (target?.id !== CHANGES) return calls({ ...view, filter: {} });
      const day = localDayOf(new Date(at));
      return `/admin/audit?from=${day}&to=${day}`;
    }
  }
};

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
