import { describe, expect, it } from 'vitest';
import { alertValue, alertValueText } from '../../src/contracts/alertValues.ts';

describe('the value of an alert', () => {
  it.each([
    ['error_rate', 0.0123, '0.012%'],
    ['error_rate', 12.345, '12.3%'],
    ['seats', 100, '100%'],
    ['p95', 8.26, '8.3 ms'],
    ['p95', 1_234.5, '1235 ms'],
    ['projection_lag', 12_345, '12.3 s'],
    ['health', 2, '2'],
    ['rejected_sign_ins', 41, '41'],
  ] as const)('of %s %d is %s', (metric, measured, text) => {
    expect(alertValueText(metric, measured)).toBe(text);
  });

  it('has the same number on the screen', () => {
    expect(alertValue('p95', 1_234.5)).toEqual({ value: 1_235, unit: 'ms' });
  });
});
