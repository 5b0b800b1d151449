import type { FastifyInstance } from 'fastify';

/** Limits that are reported with how often something exceeded them. */
const LIMITS = [
  'connections_per_address',
  'handshakes_per_address',
  'handshakes',
  'tools_per_tenant',
  'browsers_per_tenant',
  'credential_tests_per_tenant',
  'credential_tests',
  'slow_readers',
] as const;

export type LimitName = (typeof LIMITS)[number];

/** Counts what a limit rejected. */
export type CountLimit = (limit: LimitName) => void;

/** What Prometheus reads, counted by this node since its start. */
export type Counters = Readonly<{
  /** One more of a named count. */
  count: (name: CounterName, by?: number) => void;
  /** One more that a limit rejected. */
  countLimit: CountLimit;
  render: (gauges: Readonly<Record<string, number>>) => string;
}>;

const HELP = {
  latchkey_api_calls_accepted_total: 'API calls accepted from command-line tools',
  latchkey_api_calls_duplicate_total: 'API calls that were reported as duplicates',
  latchkey_api_calls_rejected_total: 'API calls rejected',
  latchkey_machine_requests_refused_total: 'Machine approval requests rejected because the user had too many',
  latchkey_sign_ins_accepted_total: 'Sign-ins accepted',
  latchkey_sign_ins_refused_total: 'Sign-ins rejected, for any reason',
  latchkey_sign_ins_throttled_total: 'Sign-ins rejected because the address had no attempts left',
} as const;

type CounterName = keyof typeof HELP;

/** Upper bounds of the buckets of request durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Counts requests by status class and duration, and named events. */
export const countRequests = (app: FastifyInstance): Counters => {
  const requests = new Map<string, number>();
  const buckets = BUCKETS.map(() => 0);
  const counts = new Map<string, number>();
  const limited = new Map<LimitName, number>();
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
    countLimit: (limit) => void limited.set(limit, (limited.get(limit) ?? 0) + 1),
    render: (gauges) => {
      let below = 0;
      const lines = [
        '# HELP latchkey_http_requests_total HTTP requests',
        '# TYPE latchkey_http_requests_total counter',
        ...[...requests].map(([status, n]) => `latchkey_http_requests_total{status="${status}"} ${n}`),
        '# HELP latchkey_http_request_duration_seconds HTTP request duration in seconds',
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
        '# HELP latchkey_limit_rejections_total Requests and connections rejected by a limit',
        '# TYPE latchkey_limit_rejections_total counter',
        ...LIMITS.map((limit) => `latchkey_limit_rejections_total{limit="${limit}"} ${limited.get(limit) ?? 0}`),
        ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
};
