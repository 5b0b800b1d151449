import type { HealthCheck } from '../../contracts/monitoring.ts';
import type { AlertFired } from '../../domain/operations/alertEvents.ts';
import type { AlertMetric } from '../../domain/operations/metrics.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Queries } from '../../projections/queries.ts';

/** What a metric is at an instant. */
export type Measured = Readonly<Pick<AlertFired['data'], 'value' | 'concernedId' | 'checks'>>;

/** Fewer calls say nothing about a rate or a percentile. */
const FEWEST_CALLS = 20;
const CALLS_MS = 5 * MINUTE_MS;
const SIGN_INS_MS = 10 * MINUTE_MS;

const measured = (value: number): Measured => ({ value, concernedId: null, checks: [] });

/** Measures metrics; null where there is nothing to compare. `checks` runs the health checks of this node. */
export const measuring =
  ({
    queries: { alerts, monitoring },
    checks,
  }: {
    queries: Pick<Queries, 'alerts' | 'monitoring'>;
    checks: () => Promise<Readonly<Record<string, Pick<HealthCheck, 'status'>>>>;
  }): ((metric: AlertMetric, now: number) => Promise<Measured | null>) =>
  async (metric, now) => {
    switch (metric) {
      case 'health': {
        const failing = Object.entries(await checks()).filter(([, { status }]) => status !== 'healthy');
        return { ...measured(failing.length), checks: failing.map(([name]) => name).sort() };
      }
      case 'error_rate':
      case 'p95': {
        const { calls, failed, p95 } = await alerts.callsSince(new Date(now - CALLS_MS));
        if (calls < FEWEST_CALLS) return null;
        if (metric === 'error_rate') return measured((100 * failed) / calls);
        return p95 === null ? null : measured(p95);
      }
      case 'seats': {
        const fullest = await alerts.fullestCustomer();
        return fullest && { ...measured(fullest.percent), concernedId: fullest.customerId };
      }
      case 'projection_lag': {
        const groups = await monitoring.projections(new Date(now));
        return measured(Math.max(0, ...groups.map(({ lagMs }) => lagMs)));
      }
      case 'rejected_sign_ins':
        return measured(await alerts.rejectedSince(new Date(now - SIGN_INS_MS)));
    }
  };
