import { lazyPart } from '../../lib/lazyScreen.tsx';
import { Loading } from '../states.tsx';
import type { DailyChartProps } from './DailyChart.tsx';
import type { LatencyChartProps } from './LatencyChart.tsx';
import type { TimeChartProps } from './TimeChart.tsx';

const Placeholder = ({ height = 250 }: { height?: number }) => <Loading label="Loading chart" height={`${height}px`} />;

/** The charts' library weighs 100 kB: it comes after the screen that it is on. */
export const TimeChart = lazyPart<TimeChartProps>(async () => (await import('./TimeChart.tsx')).TimeChart, Placeholder);
export const DailyChart = lazyPart<DailyChartProps>(async () => (await import('./DailyChart.tsx')).DailyChart, Placeholder);
export const LatencyChart = lazyPart<LatencyChartProps>(async () => (await import('./LatencyChart.tsx')).LatencyChart, Placeholder);
