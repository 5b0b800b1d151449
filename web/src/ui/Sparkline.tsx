import { memo, useId } from 'react';

type SparklineProps = { values: readonly number[]; width?: number; height?: number; color?: string };

const INSET = 2;

/** The curve of the last days beside a number. Decorative: the number carries the meaning. */
export const Sparkline = memo(({ values, width = 68, height = 34, color = 'var(--chakra-colors-chart-1)' }: SparklineProps) => {
  const gradient = useId();
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (at: number): number => INSET + (at / (values.length - 1)) * (width - 2 * INSET);
  const y = (value: number): number => (span === 0 ? height / 2 : height - 4 - ((value - low) / span) * (height - 8));
  const line = values.map((value, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const last = values.at(-1) ?? low;
  const end = x(values.length - 1);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
          <stop stopColor={color} stopOpacity=".22" />
          <stop offset="1" stopColor={color} stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d={`${line}L${end} ${height}L${INSET} ${height}Z`} fill={`url(#${gradient})`} />
      <path d={line} fill="none" stroke={color} strokeWidth="1.6" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx={end} cy={y(last)} r="2.2" fill={color} />
    </svg>
  );
});
