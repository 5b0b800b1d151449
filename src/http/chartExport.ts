import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  Chart,
  ChartDimension,
  ChartFilter,
  ChartPoint,
  ChartSeries,
  ChartsReply,
  ConnectedSeries,
} from '../contracts/charts.ts';
import { csvWith, type ExportFormat, sendFile, streamed } from './export.ts';
import { periodOf } from './exportNames.ts';

/** What the route of the charts says about files. */
export const CHARTS_DESCRIPTION =
  'With `Accept: text/csv` or `application/x-ndjson` the same is sent as a file: for each point a row of all calls, with `by` a row of ' +
  'each part, whose figures are empty where these count it among the others, and with `compare=previous` the rows of the previous period.';

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
  main_lag_ms: ({ mainLagMs = null }) => mainLagMs,
  usage_lag_ms: ({ usageLagMs = null }) => usageLagMs,
});

const ALL = { by: null, key: null, name: null, customerId: null, customer: null } as const;

const wholeRow = (period: ChartRow['period'], point: ChartPoint): ChartRow => ({ period, ...ALL, ...point });

/** A part of the calls, of the connected users, or of both. */
type Part = Pick<ChartSeries, 'key' | 'customerId'> &
  Readonly<{ calls: ChartSeries | undefined; users: ConnectedSeries | undefined }>;

/** The parts of the calls, and those of the connected users that are not among these. */
const partsOf = ({ series, connected }: Charts): readonly Part[] => {
  const calls = series ?? [];
  const users = connected ?? [];
  const usersOf = (key: string | null) => users.find((part) => part.key === key);
  return [
    ...calls.map((part): Part => ({ ...part, calls: part, users: usersOf(part.key) })),
    ...users
      .filter(({ key }) => calls.every((part) => part.key !== key))
      .map((part): Part => ({ key: part.key, customerId: null, calls: undefined, users: part })),
  ];
};

/** The row of a part at a point of the chart; none while no server ran. */
const partRow = (
  by: ChartDimension,
  names: ChartsReply['names'],
  { key, customerId, calls, users }: Part,
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
        ...(calls && { calls: calls.calls[index] ?? 0, failed: calls.failed[index] ?? 0, p95: calls.p95[index] ?? null }),
        ...(users && { connectedUsers: users.users[index] ?? null }),
      };

type Charts = Readonly<{ chart: Chart; previous: Chart | null } & Pick<ChartsReply, 'series' | 'connected' | 'names'>>;

async function* rowsOf(charts: Charts, by: ChartDimension | null): AsyncGenerator<ChartRow> {
  const { chart, previous, names } = charts;
  const parts = partsOf(charts);
  for (const [index, point] of chart.points.entries()) {
    yield wholeRow('current', point);
    if (by === null) continue;
    for (const part of parts) {
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
