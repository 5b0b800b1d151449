import type { AlertMetric } from '../domain/operations/metrics.ts';

/** A number with its unit, which follows it. */
type Measured = Readonly<{ value: number; unit: '' | '%' | 'ms' | 's' }>;

const withOneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** A duration, from 10 s on in seconds and from 100 ms on without decimals. */
const duration = (ms: number): Measured => {
  if (ms >= 10_000) return { value: withOneDecimal(ms / 1_000), unit: 's' };
  return { value: ms >= 100 ? Math.round(ms) : withOneDecimal(ms), unit: 'ms' };
};

/** What an alert measured, rounded as every text shows it. A percentage below 1 has two digits: a small share must not read as 0. */
export const alertValue = (metric: AlertMetric, value: number): Measured => {
  switch (metric) {
    case 'error_rate':
    case 'seats':
      return { value: value < 1 ? Number(value.toPrecision(2)) : withOneDecimal(value), unit: '%' };
    case 'p95':
    case 'projection_lag':
      return duration(value);
    case 'health':
    case 'rejected_sign_ins':
      return { value: Math.round(value), unit: '' };
  }
};

/** The same as a text, such as `12.5%`, for sentences and emails. */
export const alertValueText = (metric: AlertMetric, measured: number): string => {
  const { value, unit } = alertValue(metric, measured);
  return unit === '' || unit === '%' ? `${value}${unit}` : `${value} ${unit}`;
};
