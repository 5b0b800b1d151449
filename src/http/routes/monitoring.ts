import { type Annotation, annotationsQuery, annotationsReply } from '../../contracts/annotations.ts';
import { CHART_RANGES } from '../../contracts/chartSpans.ts';
import {
  type BrokenDown,
  type Chart,
  type ChartDimension,
  type ChartsQuery,
  type ChartsReply,
  chartsQuery,
  chartsReply,
} from '../../contracts/charts.ts';
import { health, metrics, timelineQuery, timelineReply } from '../../contracts/monitoring.ts';
import type { Period } from '../../projections/breakdown/resolutions.ts';
import { CHARTS_DESCRIPTION, sendCharts } from '../chartExport.ts';
import type { App, HttpDeps } from '../deps.ts';
import { csvWith, exportFormatOf } from '../export.ts';
import { examine, type HealthProbe } from '../health.ts';
import { readerOf } from '../historyReader.ts';
import { type ExportedList, exportRows, FILE_DESCRIPTION } from '../listExport.ts';
import { problems } from '../replies.ts';

const audience = ['admin'] as const;
const tags = ['Monitoring'];

const ANNOTATIONS: ExportedList<Annotation> = {
  name: 'annotations',
  secret: [],
  csv: csvWith({
    at: ({ at }) => at,
    type: ({ type }) => type,
    summary: ({ summary }) => summary,
    actor_kind: ({ actor }) => actor.kind,
    actor: ({ actor }) => actor.name,
    about_kind: ({ about }) => about?.kind ?? null,
    about_id: ({ about }) => about?.id ?? null,
    about: ({ about }) => about?.name ?? null,
    replaced: ({ replaced }) => replaced,
    id: ({ id }) => id,
  }),
};

/** The period of a query that ends at `now`, in ms since 1970, unless it names both ends. */
const periodOf = ({ range = '1h', from, to }: ChartsQuery, now: number) =>
  from !== undefined && to !== undefined
    ? { from: Date.parse(from), to: Date.parse(to) }
    : { from: now - CHART_RANGES[range] * 1000, to: now };

/** Charts of one period. */
type Charts = BrokenDown & Pick<ChartsReply, 'connected'>;

/** The chart with those connected users, where a server ran. */
const withConnectedUsers = (chart: Chart, users: readonly number[]): Chart => ({
  ...chart,
  points: chart.points.map((point, index) => ({
    ...point,
    connectedUsers: point.connectedUsers === null ? null : (users[index] ?? null),
  })),
});

/** How the server is, for administrators. */
export const monitoringRoutes = (
  app: App,
  { systemQueries, settings: { version }, now, probes }: HttpDeps & { probes: Readonly<Record<string, HealthProbe>> },
): void => {
  app.get(
    '/monitoring/health/detailed',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: { summary: 'Get all health checks', tags, response: { 200: health, ...problems(401, 403) } },
    },
    async (request) =>
      examine(probes, {
        uptime: Math.round(process.uptime()),
        version,
        onError: (error) => request.log.warn({ err: error }, 'a health check failed'),
      }),
  );

  app.get(
    '/monitoring/metrics',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: { summary: 'Get the total metrics', tags, response: { 200: metrics, ...problems(401, 403) } },
    },
    async () => systemQueries.monitoring.metrics(),
  );

  app.get(
    '/monitoring/timeline',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: {
        summary: 'Get the data of the live charts',
        tags,
        querystring: timelineQuery,
        response: { 200: timelineReply, ...problems(400, 401, 403) },
      },
    },
    async ({ query: { window } }) => ({
      success: true as const,
      window,
      resolutionSeconds: window === '15m' ? 1 : 60,
      points: await systemQueries.monitoring.timeline(window, new Date(now())),
    }),
  );

  app.get(
    '/monitoring/charts',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: {
        summary: 'Get the charts of a period',
        description: CHARTS_DESCRIPTION,
        tags,
        querystring: chartsQuery,
        response: { 200: chartsReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const at = new Date(now());
      const { monitoring } = systemQueries;
      const { range: _range, from: _from, to: _to, compare, by = null, ...filter } = query;
      const { from, to } = periodOf(query, at.getTime());
      const isDivided = by !== null || Object.values(filter).some((value) => value !== undefined);
      const brokenDown = async (period: Period, parts: ChartDimension | null): Promise<Charts> => {
        if (!isDivided) return { chart: await monitoring.chart(period, at), series: null, connected: null, names: {} };
        const [calls, users] = await Promise.all([
          monitoring.breakdown(period, at, filter, parts),
          monitoring.connectedUsers(period, at, filter, parts),
        ]);
        if (users === null) return { ...calls, connected: null };
        return {
          ...calls,
          chart: withConnectedUsers(calls.chart, users.whole),
          connected: users.series,
          names: { ...calls.names, ...users.names },
        };
      };
      const [current, previous] = await Promise.all([
        brokenDown({ from, to }, by),
        compare ? brokenDown({ from: 2 * from - to, to: from }, null) : null,
      ]);
      const charts = { ...current, previous: previous?.chart ?? null };
      const format = exportFormatOf(request.headers.accept);
      return format === null ? { success: true as const, ...charts } : sendCharts(request, reply, format, charts, { by, filter });
    },
  );

  app.get(
    '/monitoring/annotations',
    {
      config: { audience, permission: 'history:read' },
      schema: {
        summary: 'List what happened in the period of a chart',
        description: `Suspensions, rotations of keys, starts of servers, rebuilds of read models and alerts, as the history has them. ${FILE_DESCRIPTION}`,
        tags,
        querystring: annotationsQuery,
        response: { 200: annotationsReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const annotations = await systemQueries.annotations.inPeriod(request.query, readerOf(request));
      return (await exportRows(request, reply, ANNOTATIONS, annotations)) ? reply : { success: true as const, annotations };
    },
  );
};
