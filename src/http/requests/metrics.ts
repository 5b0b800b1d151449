import type { FastifyInstance } from 'fastify';

/** What Prometheus reads, counted by this node since its start. */
export type Counters = Readonly<{
  /** One more of a named count. */
  count: (name: CounterName, by?: number) => void;
  render: (gauges: Readonly<Record<string, number>>) => string;
}>;

const HELP = {
  latchkey_api_calls_accepted_total: 'API calls accepted from command-line tools',
  latchkey_api_calls_duplicate_total: 'API calls that were known already',
  latchkey_api_calls_rejected_total: 'API calls rejected',
  latchkey_sign_ins_refused_total: 'Sign-ins refused',
} as const;

export type CounterName = keyof typeof HELP;

/** Upper bounds of the buckets of request durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Counts requests by status class and duration, and whatever else is named. */
export const countRequests = (app: FastifyInstance): Counters => {
  const requests = new Map<string, number>();
  const buckets = BUCKETS.map(() => 0);
  const counts = new Map<string, number>();
  let seconds = 0;
  let all = 0;

  app.addHook('onResponse', (_request, reply, next) => {
    const statusClass = `${Math.floor(reply.statusCode / 100)}xx`;
    requests.set(statusClass, (requests.get(statusClass) ?? 0) + 1);
    const took = reply.elapsedTime / 1000;
    seconds += took;
    all += 1;
    const index = BUCKETS.findIndex((bound) => took <= bound);
    if (index !== -1) buckets[index] = (buckets[index] ?? 0) + 1;
    next();
  });

  return {
    count: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
    render: (gauges) => {
      let below = 0;
      const lines = [
        '# HELP latchkey_http_requests_total Requests answered',
        '# TYPE latchkey_http_requests_total counter',
        ...[...requests].map(([status, n]) => `latchkey_http_requests_total{status="${status}"} ${n}`),
        '# HELP latchkey_http_request_duration_seconds How long requests took',
        '# TYPE latchkey_http_request_duration_seconds histogram',
        ...BUCKETS.map((bound, index) => {
          below += buckets[index] ?? 0;
          return `latchkey_http_request_duration_seconds_bucket{le="${bound}"} ${below}`;
        }),
        `latchkey_http_request_duration_seconds_bucket{le="+Inf"} ${all}`,
        `latchkey_http_request_duration_seconds_sum ${seconds}`,
        `latchkey_http_request_duration_seconds_count ${all}`,
        ...Object.entries(HELP).flatMap(([name, help]) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} counter`,
          `${name} ${counts.get(name) ?? 0}`,
        ]),
        ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
};
