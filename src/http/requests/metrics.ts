import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Limits that are reported with how often something exceeded them. */
const LIMITS = [
  'connections_per_address',
  'handshakes_per_address',
  'handshakes',
  'tools_per_tenant',
  'browsers_per_tenant',
  'credential_tests_per_tenant',
  'credential_tests',
  'imports_per_tenant',
  'imports',
  'slow_readers',
] as const;

export type LimitName = (typeof LIMITS)[number];

/** Counts what a limit rejected. */
export type CountLimit = (limit: LimitName) => void;

/** Gauges by name, each read at a scrape. */
export type Gauges = Readonly<Record<string, Readonly<{ help: string; read: () => number }>>>;

/** What Prometheus reads, counted by this node since its start. */
export type Counters = Readonly<{
  /** One more of a named count. */
  count: (name: CounterName, by?: number) => void;
  /** One more that a limit rejected. */
  countLimit: CountLimit;
  addGauges: (gauges: Gauges) => void;
  /** The metrics as text of `METRICS_TYPE`. */
  render: () => Promise<string>;
}>;

const HELP = {
  latchkey_api_calls_accepted_total: 'API calls accepted from command-line tools',
  latchkey_api_calls_duplicate_total: 'API calls that were reported as duplicates',
  latchkey_api_calls_rejected_total: 'API calls rejected',
  latchkey_api_calls_over_quota_total: 'API calls refused because the monthly quota of the license is used up',
  latchkey_machine_requests_refused_total: 'Machine approval requests rejected because the user had too many',
  latchkey_sign_ins_accepted_total: 'Sign-ins accepted',
  latchkey_sign_ins_refused_total: 'Sign-ins rejected, for any reason',
  latchkey_sign_ins_throttled_total: 'Sign-ins rejected because the address had no attempts left',
} as const;

type CounterName = keyof typeof HELP;

/** The Content-Type of the text format of Prometheus. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Upper bounds of the buckets of request durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The route of requests whose address has none: the addresses that clients invent must not become label values. */
const NO_ROUTE = 'none';

/** Counts requests by method, route and status class, their durations by method and route, and named events. */
export const countRequests = (app: FastifyInstance): Counters => {
  // Not the registry of the library, which all servers of the process would share.
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'latchkey_http_requests_total',
    help: 'HTTP requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'HTTP request duration in seconds',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const counters = new Map(Object.entries(HELP).map(([name, help]) => [name, new Counter({ name, help, registers })]));
  const rejections = new Counter({
    name: 'latchkey_limit_rejections_total',
    help: 'Requests and connections rejected by a limit',
    labelNames: ['limit'],
    registers,
  });
  for (const limit of LIMITS) rejections.inc({ limit }, 0);

  app.addHook('onResponse', ({ method, routeOptions: { url: route = NO_ROUTE } }, { statusCode, elapsedTime }, next) => {
    requests.inc({ method, route, status: `${Math.floor(statusCode / 100)}xx` });
    durations.observe({ method, route }, elapsedTime / 1000);
    next();
  });

  return {
    count: (name, by = 1) => counters.get(name)?.inc(by),
    countLimit: (limit) => rejections.inc({ limit }),
    addGauges: (gauges) => {
      for (const [name, { help, read }] of Object.entries(gauges)) {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      }
    },
    render: () => registry.metrics(),
  };
};
