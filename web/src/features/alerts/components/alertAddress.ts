import type { Alert } from '../../../../../src/contracts/alerts.ts';
import { CHART_DAYS } from '../../../../../src/contracts/chartSpans.ts';
import { DAY_MS, MINUTE_MS } from '../../../../../src/domain/time.ts';
import { localDayOf } from '../../../lib/listAddress.ts';

/** The calls and sign-ins that a metric counts are at most so much older than its value. */
const MEASURED_MS = 10 * MINUTE_MS;

/** From when the condition became true until the alert was resolved, or until now. */
const periodOf = ({ firedAt, resolvedAt, forSeconds }: Alert, now: number): { from: Date; to: Date } => {
  const fired = Date.parse(firedAt);
  // The clock of the browser may be behind that of the server.
  const to = resolvedAt === null ? Math.max(now, fired) : Date.parse(resolvedAt);
  const from = fired - 1000 * forSeconds - MEASURED_MS;
  return { from: new Date(Math.max(from, to - CHART_DAYS * DAY_MS)), to: new Date(to) };
};

/** The address of what an alert is about, in the period of the alert: the customer, the rejected sign-ins, or the charts. */
export const alertAddress = (alert: Alert, now = Date.now()): string => {
  const { metric, customer } = alert;
  const { from, to } = periodOf(alert, now);
  if (metric === 'seats' && customer?.name != null) return `/admin/customers/${customer.id}`;
  if (metric === 'rejected_sign_ins') {
    const days = { from: localDayOf(from), to: localDayOf(to) };
    return `/admin/team/sign-ins?${new URLSearchParams({ outcome: 'rejected', ...days })}`;
  }
  return `/admin/monitoring?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })}`;
};
