import type { Alert, AlertRuleBody } from '../../../../src/contracts/alerts.ts';
import { alertValue } from '../../../../src/contracts/alertValues.ts';
import type { FiringAlerts } from './firing.ts';

type Metric = AlertRuleBody['metric'];

const metrics: Readonly<Record<Metric, string>> = {
  health: 'Failing health checks',
  error_rate: 'Error rate',
  p95: 'Response time, 95th percentile',
  seats: 'Seats of a customer in use',
  projection_lag: 'Projection lag',
  rejected_sign_ins: 'Rejected sign-ins in 10 minutes',
};

/** The unit of the threshold of each metric, as the hint of its field. */
const units: Readonly<Record<Metric, string>> = {
  health: 'Number of checks',
  error_rate: 'Percent of the calls of the last 5 minutes',
  p95: 'Milliseconds, of the calls of the last 5 minutes',
  seats: 'Percent of the seats of one kind, for each customer',
  projection_lag: 'Milliseconds',
  rejected_sign_ins: 'Number of sign-ins',
};

const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });

/** As it was entered: a rounded threshold would be another condition. */
const shownThreshold = (metric: Metric, threshold: number): string => {
  switch (metric) {
    case 'error_rate':
    case 'seats':
      return `${exact.format(threshold)}%`;
    case 'p95':
    case 'projection_lag':
      return `${exact.format(threshold)} ms`;
    case 'health':
    case 'rejected_sign_ins':
      return exact.format(threshold);
  }
};

const shownValue = (metric: Metric, measured: number): string => {
  const { value, unit } = alertValue(metric, measured);
  return `${exact.format(value)}${unit === '' || unit === '%' ? unit : ` ${unit}`}`;
};

const timeOf = (seconds: number): string => {
  if (seconds === 0) return 'immediately';
  return seconds % 60 === 0 ? `for ${seconds / 60} min` : `for ${seconds} s`;
};

const reasons = {
  recovered: 'Below the threshold again',
  rule_changed: 'The rule was changed',
  rule_removed: 'The rule was removed',
} as const satisfies Record<NonNullable<Alert['reason']>, string>;

const DELETED = 'Deleted customer';
/** The most customers that a banner names. */
const NAMED = 3;

const ofCustomers = (alerts: FiringAlerts): string => {
  const [{ name, metric, value, threshold, customer }] = alerts;
  if (alerts.length === 1) return `${name}: ${customer?.name ?? DELETED} uses ${shownValue(metric, value)} of its seats`;
  const names = alerts.slice(0, NAMED).map((alert) => alert.customer?.name ?? DELETED);
  const who = `${names.join(', ')}${alerts.length > NAMED ? ' and others' : ''}`;
  return `${name}: ${who} use ${shownThreshold(metric, threshold)} or more of their seats`;
};

/** What the firing alerts of one rule are about, as a sentence. */
const banner = (alerts: FiringAlerts): string => {
  const [{ name, metric, value, customer, checks }] = alerts;
  if (customer) return ofCustomers(alerts);
  return [
    `${name}: ${metrics[metric]} ${shownValue(metric, value)}`,
    ...(checks.length > 0 ? [`(${checks.join(', ')})`] : []),
  ].join(' ');
};

/** The texts of alert rules and alerts. */
export const alertTexts = {
  exported: { alerts: 'Alerts', rules: 'Alert rules' },
  title: 'Alerts',
  sub: 'Rules that are evaluated every 15 seconds, and what they found.',
  back: 'Monitoring',
  emails: 'Owners and operators get an email when an alert fires and when it is resolved.',
  noEmails: 'No mail server is configured, so alerts are shown in the console only.',
  loading: 'Loading alerts',
  loadFailed: 'Failed to load alerts',

  rules: 'Alert rules',
  rulesTable: 'Alert rules table',
  noRules: 'No alert rules',
  noRulesHint: 'Create a rule to be notified of failures.',
  columns: { name: 'Name', condition: 'Condition', state: 'State', actions: 'Actions' },
  condition: ({ metric, threshold, forSeconds }: Pick<AlertRuleBody, 'metric' | 'threshold' | 'forSeconds'>): string =>
    `${metrics[metric]}: ${shownThreshold(metric, threshold)} or more, ${timeOf(forSeconds)}`,
  quiet: 'OK',
  firing: 'Firing',
  since: 'since',

  create: 'Create rule',
  createTitle: 'Create alert rule',
  creating: 'Creating…',
  created: 'Alert rule created',
  createFailed: 'Failed to create the alert rule',
  edit: 'Edit',
  editOf: (name: string): string => `Edit ${name}`,
  editTitle: 'Edit alert rule',
  save: 'Save changes',
  saving: 'Saving…',
  saved: 'Alert rule saved',
  saveFailed: 'Failed to save the alert rule',
  description: 'The alert fires when the condition has been true for the time, and is resolved when it is not.',
  fields: { name: 'Name', metric: 'Metric', threshold: 'Threshold', forSeconds: 'Time' },
  metrics,
  units,
  times: {
    0: 'Immediately',
    60: '1 minute',
    120: '2 minutes',
    300: '5 minutes',
    600: '10 minutes',
    1800: '30 minutes',
    3600: '1 hour',
  },
  otherTime: (seconds: number): string => `${seconds} seconds`,

  remove: 'Remove',
  removeOf: (name: string): string => `Remove ${name}`,
  removeTitle: 'Remove alert rule',
  removing: 'Removing…',
  removed: 'Alert rule removed',
  removeFailed: 'Failed to remove the alert rule',
  removeQuestion: (name: string): string => `Remove ${name}? Its alert is resolved. Its history stays.`,

  history: 'Alerts',
  historySub: (maxCustomers: number | undefined): string =>
    [
      'The newest 100; an export has all of them.',
      ...(maxCustomers === undefined ? [] : [`A rule for seats fires for at most ${maxCustomers} customers at the same time.`]),
    ].join(' '),
  historyTable: 'Alerts table',
  none: 'No alerts yet',
  alertColumns: { alert: 'Alert', value: 'Value', fired: 'Fired', resolved: 'Resolved' },
  value: ({ metric, value }: Pick<Alert, 'metric' | 'value'>): string => shownValue(metric, value),
  reasons,
  deleted: DELETED,

  region: 'Firing alerts',
  banner,
  open: 'Open alerts',
} as const;
