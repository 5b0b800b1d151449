import type { HealthCheck } from '../../contracts/monitoring.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { MAX_ALERT_CUSTOMERS } from '../../domain/limits.ts';
import type { AlertFired, AlertRuleData } from '../../domain/operations/alertEvents.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Queries } from '../../projections/queries.ts';

/** What a metric is at an instant: of the installation, or of one customer. */
type Measured = Readonly<Pick<AlertFired['data'], 'value' | 'concernedId' | 'checks'>>;

/** Fewer calls say nothing about a rate or a percentile. */
const FEWEST_CALLS = 20;
const CALLS_MS = 5 * MINUTE_MS;
const SIGN_INS_MS = 10 * MINUTE_MS;

const measured = (value: number): Measured => ({ value, concernedId: null, checks: [] });

/** What is measured, at an instant in ms since 1970. `followed` are customers whose condition was true before. */
export type Measuring = (
  rule: Pick<AlertRuleData, 'metric' | 'threshold'>,
  options: { now: number; followed: readonly CustomerId[] },
) => Promise<readonly Measured[]>;

/**
 * Measures the metric of a rule: of the seats, of the customers that reach its threshold, at most `MAX_ALERT_CUSTOMERS`, those that are
 * followed first. Nothing where there is nothing to compare. `checks` runs the health checks of this node.
 */
export const measuring =
  ({
    queries: { alerts, monitoring },
    checks,
  }: {
    queries: Pick<Queries, 'alerts' | 'monitoring'>;
    checks: () => Promise<Readonly<Record<string, Pick<HealthCheck, 'status'>>>>;
  }): Measuring =>
  async ({ metric, threshold }, { now, followed }) => {
    switch (metric) {
      case 'health': {
        const failing = Object.entries(await checks()).filter(([, { status }]) => status !== 'healthy');
        return [{ ...measured(failing.length), checks: failing.map(([name]) => name).sort() }];
      }
      case 'error_rate':
      case 'p95': {
        const { calls, failed, p95 } = await alerts.callsSince(new Date(now - CALLS_MS));
        if (calls < FEWEST_CALLS) return [];
        if (metric === 'error_rate') return [measured((100 * failed) / calls)];
        return p95 === null ? [] : [measured(p95)];
      }
      case 'seats': {
        const full = await alerts.fullCustomers(threshold, followed, MAX_ALERT_CUSTOMERS);
        return full.map(({ customerId, percent }) => ({ ...measured(percent), concernedId: customerId }));
      }
      case 'projection_lag': {
        const groups = await monitoring.projections(new Date(now));
        return [measured(Math.max(0, ...groups.map(({ lagMs }) => lagMs)))];
      }
      case 'rejected_sign_ins':
        return [measured(await alerts.rejectedSince(new Date(now - SIGN_INS_MS)))];
    }
  };
