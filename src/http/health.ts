import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { sql } from 'kysely';
import type { Health, HealthCheck } from '../contracts/monitoring.ts';
import type { Database } from '../database/database.ts';
import { durationText } from '../domain/time.ts';
import type { LogStatus } from '../projections/auditLog/auditLog.ts';
import type { Queries } from '../projections/queries.ts';
import { ALL_NETWORKS, type SignInTiers } from '../security/signInTiers.ts';

/** The result of a check; the caller measures `responseTime`. */
export type Finding = Omit<HealthCheck, 'responseTime'>;
/** Rejects, or takes longer than `PROBE_MS`, if the dependency is unreachable. */
export type HealthProbe = () => Promise<Finding>;

/** Longer than an event store of two cores stalls under many reads; see `EventStore.examine`. */
const PROBE_MS = 4_500;
const CLOCK_WARNING_MS = 1_000;
const LAG_WARNING_MS = 1_000;
const LAG_CRITICAL_MS = 30_000;
const LOOP_WARNING_MS = 100;
const LOOP_CRITICAL_MS = 1_000;
/** Frequent enough for the thresholds, and rare enough for an idle server. */
const LOOP_EVERY_MS = 50;
const GIB = 1024 ** 3;

const finding = (status: Finding['status'], message: string, details: string | null = null): Finding => ({
  status,
  message,
  details,
});
const graded = (value: number, warning: number, critical: number): Finding['status'] =>
  value >= critical ? 'critical' : value >= warning ? 'warning' : 'healthy';
const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

/** Finds out whether a store answers at all. */
export const roundTrip =
  (ask: () => Promise<unknown>): HealthProbe =>
  async () => {
    await ask();
    return finding('healthy', 'Reachable');
  };

/** What the event store finds out about itself; see `EventStore.examine`. */
type StoreExamination = Readonly<{ outage: Readonly<{ kind: string; text: string }> | null; clockSkewMs: number | null }>;

/** Whether the event store can be used, which part of it cannot, and whether its clock differs from this server's. */
export const eventStoreProbe =
  (events: Readonly<{ examine: () => Promise<StoreExamination> }>): HealthProbe =>
  async () => {
    const { outage, clockSkewMs } = await events.examine();
    if (outage) return finding('critical', outage.text, outage.kind);
    if (clockSkewMs === null || Math.abs(clockSkewMs) < CLOCK_WARNING_MS) return finding('healthy', 'Reachable');
    const seconds = (Math.abs(clockSkewMs) / 1_000).toFixed(1);
    const direction = clockSkewMs > 0 ? 'ahead of' : 'behind';
    return finding('warning', `Its clock is ${seconds} s ${direction} this server's. Synchronize both by NTP.`);
  };

/** The time of a query to PostgreSQL; critical if it fails. */
export const databaseProbe = (db: Database): HealthProbe => roundTrip(() => sql`select 1`.execute(db));

/** Whether the logins of the database have more rights than they need, or fewer; `findings` say what to do. */
export const rolesProbe =
  (findings: readonly string[]): HealthProbe =>
  async () =>
    findings.length === 0
      ? finding('healthy', 'Database roles have exactly the required privileges')
      : finding('warning', 'A database role has too many or too few privileges', findings.join(' '));

const highestLag = (groups: readonly Readonly<{ lagMs: number }>[]): number => Math.max(0, ...groups.map(({ lagMs }) => lagMs));

/** How far the read models are behind the events, in ms: those of the slowest group. */
export const lagMsOf = async ({ monitoring }: Pick<Queries, 'monitoring'>, now: () => number): Promise<number> =>
  highestLag(await monitoring.projections(new Date(now())));

/** The lag of the read models, and whether streams are parked. */
export const projectionProbes = (
  { monitoring }: Readonly<{ monitoring: Pick<Queries['monitoring'], 'projections' | 'parked'> }>,
  now: () => number,
): Record<'projections' | 'parkedStreams', HealthProbe> => ({
  projections: async () => {
    const groups = await monitoring.projections(new Date(now()));
    const lag = highestLag(groups);
    const status = graded(lag, LAG_WARNING_MS, LAG_CRITICAL_MS);
    const details = groups
      .map(
        ({ group, lagMs, node }) => `${group}: ${durationText(lagMs)} behind${node ? `, on ${node}` : ', not running on any node'}`,
      )
      .join('; ');
    return finding(status, status === 'healthy' ? 'Up to date' : 'Read models are behind', details);
  },
  parkedStreams: async () => {
    const parked = await monitoring.parked();
    if (parked.length === 0) return finding('healthy', 'Stalled streams: none');
    const details = parked
      .slice(0, 5)
      .map(({ stream, type, reason }) => `${stream} (${type}): ${reason}`)
      .join('; ');
    return finding('warning', `Stalled streams: ${parked.length}. Run latchkey-admin retry.`, details);
  },
});

/** Longer than a restart and the takeover by another node take. */
const AUDIT_LOG_SILENT_MS = 60_000;

/** Whether a node writes the audit log, and why not. */
export const auditLogProbe =
  (status: () => Promise<LogStatus>, now: () => number): HealthProbe =>
  async () => {
    const { size, error, heartbeatAt } = await status();
    if (error !== null) return finding('warning', 'The audit log does not grow', error);
    const isSilent = heartbeatAt !== null && now() - heartbeatAt.getTime() > AUDIT_LOG_SILENT_MS;
    return isSilent
      ? finding(
          'warning',
          'No node writes the audit log',
          `Start a node with the role projector. Last sign of life: ${heartbeatAt.toISOString()}`,
        )
      : finding('healthy', 'Up to date', `${size} events`);
  };

/** Whether policies fail again and again; `failures` reads those of every node. */
export const policyProbe =
  (failures: () => Promise<readonly Readonly<{ policy: string; error: string }>[]>): HealthProbe =>
  async () => {
    const failing = await failures();
    if (failing.length === 0) return finding('healthy', 'Failing policies: none');
    const details = failing.map(({ policy, error }) => `${policy}: ${error}`).join('; ');
    return finding('warning', `Failing policies: ${failing.length}. They are retried automatically.`, details);
  };

/** The emails of all nodes: `retried` are pending ones that were tried; `sent` and `failed` are those of the last 7 days. */
export type EmailCounts = Readonly<{ pending: number; retried: number; sent: number; failed: number; reason: string | null }>;

/** Whether emails have to be sent again, and why. */
export const emailProbe =
  (counts: () => Promise<EmailCounts>): HealthProbe =>
  async () => {
    const { pending, retried, sent, failed, reason } = await counts();
    const details = `${pending} pending; in the last 7 days ${sent} sent, ${failed} not deliverable`;
    if (retried === 0) return finding('healthy', 'Emails to be sent again: none', details);
    return finding('warning', `Emails to be sent again: ${retried}. ${reason ?? ''}`.trim(), details);
  };

/** Whether many wrong keys come from one network, or from many: sign-ins from there are delayed. */
export const signInProbe =
  (tiers: Pick<SignInTiers, 'busy'>): HealthProbe =>
  async () => {
    const busy = await tiers.busy();
    if (busy.length === 0) return finding('healthy', 'Failed sign-ins are within the limits');
    const details = busy
      .slice(0, 5)
      .map(
        ({ kind, network, failures }) =>
          `${kind === 'admin' ? 'admin keys' : 'license keys'} from ${network === ALL_NETWORKS ? 'all networks' : network}: ${failures} a minute`,
      )
      .join('; ');
    return finding('warning', 'Many failed sign-ins: possible key guessing', details);
  };

/** Free space where the embedded stores keep their files. */
export const diskProbe =
  (directory: string): HealthProbe =>
  async () => {
    const { bavail, bsize, blocks } = await statfs(directory);
    const free = bavail * bsize;
    const used = 1 - bavail / blocks;
    const status = free < 0.2 * GIB || used > 0.98 ? 'critical' : free < GIB || used > 0.9 ? 'warning' : 'healthy';
    return finding(status, `Disk usage: ${Math.round(used * 100)}%`, `${gib(free)} free`);
  };

export const memoryProbe: HealthProbe = async () => {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const share = used_heap_size / heap_size_limit;
  return finding(graded(share, 0.8, 0.95), `Heap usage: ${Math.round(share * 100)}%`, `${gib(process.memoryUsage.rss())} resident`);
};

/** Measures how late timers fire, from `start` on. `p99` in ms since the last time it was asked. */
export const watchEventLoop = (): { probe: HealthProbe; p99: () => number; start: () => void; stop: () => void } => {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_EVERY_MS });
  const p99 = (): number => (histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(99) / 1e6 - LOOP_EVERY_MS));
  return {
    probe: async () => {
      const late = p99();
      histogram.reset();
      return finding(graded(late, LOOP_WARNING_MS, LOOP_CRITICAL_MS), `Event-loop delay: ${Math.round(late)} ms`);
    },
    p99,
    start: () => void histogram.enable(),
    stop: () => void histogram.disable(),
  };
};

const inTime = async (probe: HealthProbe): Promise<Finding> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no reply within ${PROBE_MS / 1000} s`)), PROBE_MS);
  });
  try {
    return await Promise.race([probe(), late]);
  } finally {
    clearTimeout(timer);
  }
};

const check = async (probe: HealthProbe, onError: (error: unknown) => void): Promise<HealthCheck> => {
  const startedAt = performance.now();
  const found = await inTime(probe).catch((error: unknown): Finding => {
    onError(error);
    return finding('critical', 'Unreachable');
  });
  return { ...found, responseTime: Math.round((performance.now() - startedAt) * 10) / 10 };
};

/** Runs all probes concurrently. `uptime` in seconds. */
export const examine = async (
  probes: Readonly<Record<string, HealthProbe>>,
  { uptime, version, onError }: { uptime: number; version: string; onError: (error: unknown) => void },
): Promise<Health> => {
  const entries = await Promise.all(
    Object.entries(probes).map(async ([name, probe]): Promise<[string, HealthCheck]> => [name, await check(probe, onError)]),
  );
  const count = (status: HealthCheck['status']): number => entries.filter(([, { status: found }]) => found === status).length;
  const summary = { healthy: count('healthy'), warnings: count('warning'), critical: count('critical') };
  const status = summary.critical > 0 ? 'critical' : summary.warnings > 0 ? 'degraded' : 'healthy';
  return { status, uptime, version, summary, checks: Object.fromEntries(entries) };
};

/** Examines at most once in `ms`; calls in between get the same result. `now` is a clock in ms. */
export const examineSeldom = (
  examineNow: () => Promise<Health>,
  ms: number,
  now = () => performance.now(),
): (() => Promise<Health>) => {
  let result: Promise<Health> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    if (result && now() - at < ms) return result;
    at = now();
    result = examineNow();
    return result;
  };
};
