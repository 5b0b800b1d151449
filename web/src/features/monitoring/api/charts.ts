import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { chartSpanSeconds } from '../../../../../src/contracts/chartSpans.ts';
import type { Chart, ChartsReply, ChartPoint as StoredPoint } from '../../../../../src/contracts/charts.ts';
import { HOUR_MS } from '../../../../../src/domain/time.ts';
import { api } from '../../../api/client.ts';
import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';
import { monitoringTexts } from '../texts.ts';
import { type ConnectedPart, connectedPartsOf, connectedValues, type Part, partsOf, partValues } from './parts.ts';
import { type ChartView, isWhole, lengthOf } from './period.ts';
import { chartPoints } from './points.ts';
import { useTimeline } from './timeline.ts';

/** Longer ranges change slowly; a custom period that is over does not change. */
const refetchMs = (view: ChartView): number | false => {
  if (view.custom && view.custom.to < Date.now()) return false;
  return lengthOf(view) <= HOUR_MS ? 10_000 : 60_000;
};

const periodOf = ({ range, custom }: ChartView) =>
  custom ? { from: new Date(custom.from).toISOString(), to: new Date(custom.to).toISOString() } : { range };

/** The request for the charts of a view. */
export const chartsRequest = (view: ChartView) => ({
  path: '/monitoring/charts',
  query: { ...periodOf(view), ...(view.isCompared && { compare: 'previous' }), by: view.by, ...view.filter },
});

/** The charts of a view. Their key is below no topic on purpose: they are fetched regularly, however many calls arrive. */
const chartsQuery = (view: ChartView) =>
  queryOptions({
    queryKey: ['charts', view],
    queryFn: ({ signal }) => {
      const { path, query } = chartsRequest(view);
      return api.get<ChartsReply>(path, { query, signal, fallback: monitoringTexts.timelineFailed });
    },
    structuralSharing: false,
    refetchInterval: refetchMs(view),
  });

/** Calls of a period. */
export type Counts = Readonly<Pick<Part, 'calls' | 'failed'>>;

const countsOf = ({ points }: Chart): Counts => ({
  calls: points.reduce((sum, { calls }) => sum + (calls ?? 0), 0),
  failed: points.reduce((sum, { failed }) => sum + (failed ?? 0), 0),
});

/** What the charts draw. `from` and `to` are the ends of the axis, `stepMs` the time from a point to the next one. */
export type Drawing = Readonly<{
  from: number;
  to: number;
  stepMs: number;
  points: readonly ChartPoint[];
  /** The parts of the calls, where they are divided. */
  parts: readonly Part[] | null;
  /** The parts of the connected users, where these are divided. */
  connected: readonly ConnectedPart[] | null;
  /** The number of customers or integrators among which the parts are the largest; null for all. */
  partsAmong: number | null;
  /** All calls of the period, and of the previous one where it is compared. */
  totals: { current: Counts; previous: Counts | null } | null;
  /** Names of customers and integrators by id. */
  names: ChartsReply['names'];
}>;

const perSecond = (count: number | null, seconds: number): number | null =>
  count === null || seconds === 0 ? null : count / seconds;

const valuesOf = ({ seconds, calls, failed, p50, p95, p99, connectedUsers, mainLagMs, usageLagMs }: StoredPoint) => ({
  calls: perSecond(calls, seconds),
  successful: perSecond(calls === null ? null : calls - (failed ?? 0), seconds),
  failed: perSecond(failed, seconds),
  p50,
  p95,
  p99,
  connectedUsers,
  mainLagMs,
  usageLagMs,
});

const namedPrevious = (values: Readonly<Record<string, number | null>>): Record<string, number | null> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`previous.${key}`, value]));

/** Finds the values of the previous period that belong to a point of this one. Longer steps of it count for each of their points. */
const previousOf = (previous: Chart | null, lengthMs: number) => {
  const start = previous ? Date.parse(previous.from) : 0;
  return (at: number): Record<string, number | null> => {
    const point = previous?.points[Math.floor((at - lengthMs - start) / (previous.stepSeconds * 1000))];
    return point ? namedPrevious(valuesOf(point)) : {};
  };
};

const drawingOf = ({ chart, previous, series, connected, names, partsAmong }: ChartsReply, view: ChartView): Drawing => {
  const before = previousOf(previous, lengthOf(view));
  const parts = series && view.by ? partsOf(series, view.by, names) : null;
  return {
    from: Date.parse(chart.from),
    to: Date.parse(chart.to),
    stepMs: chart.stepSeconds * 1000,
    points: chart.points.map((point, index) => {
      const at = Date.parse(point.at);
      return {
        at,
        ...valuesOf(point),
        ...before(at),
        ...partValues(series ?? [], index, point.seconds),
        ...connectedValues(connected ?? [], index, point.connectedUsers !== null),
      };
    }),
    parts,
    connected: connected && view.by ? connectedPartsOf(connected, view.by, names, parts ?? []) : null,
    totals: { current: countsOf(chart), previous: previous && countsOf(previous) },
    partsAmong: partsAmong ?? null,
    names,
  };
};

/** All calls of the last 15 minutes by the live feed, second by second; every other view as it is fetched regularly. */
export const useCharts = (view: ChartView): { query: UseQueryResult<unknown>; drawing: Drawing | undefined } => {
  const isLive = view.range === '15m' && view.custom === null && !view.isCompared && isWhole(view);
  const timeline = useTimeline('15m', isLive);
  const charts = useQuery({ ...chartsQuery(view), enabled: !isLive });
  const { points } = timeline.data ?? {};
  const live = useMemo((): Drawing | undefined => {
    if (!points) return undefined;
    const stepMs = chartSpanSeconds['15m'] * 1000;
    const drawn = chartPoints(points, stepMs);
    const to = drawn.at(-1)?.at ?? 0;
    return {
      from: to - lengthOf(view),
      to,
      stepMs,
      points: drawn,
      parts: null,
      connected: null,
      partsAmong: null,
      totals: null,
      names: {},
    };
  }, [points, view]);
  const fetched = useMemo(() => charts.data && drawingOf(charts.data, view), [charts.data, view]);
  return isLive ? { query: timeline, drawing: live } : { query: charts, drawing: fetched };
};
