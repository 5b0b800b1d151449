import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Chart, ChartDimension, ChartFilter, ChartPoint, ChartSeries, ChartsReply } from '../contracts/charts.ts';
import { csvWith, type ExportFormat, sendFile, streamed } from './export.ts';
import { periodOf } from './exportNames.ts';

/** What the route of the charts says about files. */
export const CHARTS_DESCRIPTION =
  'With `Accept: text/csv` or `application/x-ndjson` the same is sent as a file: for each point a row of all calls, with `by` a row of ' +
  'each part, and with `compare=previous` the rows of the previous period.';

/** A point of all calls, or of the part `key` of them; without a key that of all other parts. */
type ChartRow = Readonly<
  Pick<ChartPoint, 'at' | 'seconds'> & {
    period: 'current' | 'previous';
    by: ChartDimension | null;
    key: string | null;
    name: string | null;
    customerId: string | null;
    customer: string | null;
  } & Partial<Omit<ChartPoint, 'at' | 'seconds'>>
>;

const csv = csvWith<ChartRow>({
  period: ({ period }) => period,
  at: ({ at }) => at,
  seconds: ({ seconds }) => seconds,
  by: ({ by }) => by,
  part: ({ key }) => key,
  part_name: ({ name }) => name,
  customer_id: ({ customerId }) => customerId,
  customer: ({ customer }) => customer,
  calls: ({ calls = null }) => calls,
  failed: ({ failed = null }) => failed,
  p50_ms: ({ p50 = null }) => p50,
  p95_ms: ({ p95 = null }) => p95,
  p99_ms: ({ p99 = null }) => p99,
  connected_users: ({ connectedUsers = null }) => connectedUsers,
  projection_lag_ms: ({ projectionLagMs = null }) => projectionLagMs,
});

const ALL = { by: null, key: null, name: null, customerId: null, customer: null } as const;

const wholeRow = (period: ChartRow['period'], point: ChartPoint): ChartRow => ({ period, ...ALL, ...point });

/** The row of a part at a point of the chart; none while no server ran. */
const partRow = (
  by: ChartDimension,
  names: ChartsReply['names'],
  { key, customerId, calls, failed, p95 }: ChartSeries,
  { at, seconds, calls: ofPoint }: ChartPoint,
  index: number,
): ChartRow | null =>
  ofPoint === null
    ? null
    : {
        period: 'current',
        at,
        seconds,
        by,
        key,
        name: key === null ? 'Others' : (names[key] ?? key),
        customerId,
        customer: customerId === null ? null : (names[customerId] ?? null),
        calls: calls[index] ?? 0,
        failed: failed[index] ?? 0,
        p95: p95[index] ?? null,
      };

type Charts = Readonly<{ chart: Chart; previous: Chart | null } & Pick<ChartsReply, 'series' | 'names'>>;

async function* rowsOf({ chart, previous, series, names }: Charts, by: ChartDimension | null): AsyncGenerator<ChartRow> {
  for (const [index, point] of chart.points.entries()) {
    yield wholeRow('current', point);
    if (by === null) continue;
    for (const part of series ?? []) {
      const row = partRow(by, names, part, point, index);
      if (row) yield row;
    }
  }
  for (const point of previous?.points ?? []) yield wholeRow('previous', point);
}

/** Sends charts as a file that is named by the customer or service integrator of the filter, what divides the calls, and the period. */
export const sendCharts = async (
  request: FastifyRequest,
  reply: FastifyReply,
  format: ExportFormat,
  charts: Charts,
  { by, filter }: { by: ChartDimension | null; filter: ChartFilter },
): Promise<FastifyReply> => {
  const file = await streamed(rowsOf(charts, by), format, csv);
  const of = charts.names[filter.customer ?? filter.integrator ?? ''];
  return sendFile(reply, file, format, 'monitoring', of, by === null ? undefined : `by-${by}`, ...periodOf(request, charts.chart));
};
