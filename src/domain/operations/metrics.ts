/**
 * What an alert rule compares with its threshold. `health`: the number of failing checks. `error_rate`: the percentage of failed calls,
 * and `p95` the 95th percentile of the response time in ms, of the last 5 minutes. `seats`: of each customer, the percentage of its seats
 * of one kind that it uses. `projection_lag`: ms. `rejected_sign_ins`: those of the last 10 minutes.
 */
export const ALERT_METRICS = ['health', 'error_rate', 'p95', 'seats', 'projection_lag', 'rejected_sign_ins'] as const;
/** One of the metrics of alert rules; see `ALERT_METRICS`. */
export type AlertMetric = (typeof ALERT_METRICS)[number];
