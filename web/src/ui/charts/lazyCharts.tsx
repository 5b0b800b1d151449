import { lazyComponent } from '../../lib/lazyScreen.tsx';
import { Loading } from '../states.tsx';
import type { DailyChartProps } from './DailyChart.tsx';
import type { LatencyChartProps } from './LatencyChart.tsx';
import type { SeatChartProps } from './SeatChart.tsx';
import type { TimeChartProps } from './TimeChart.tsx';

const Placeholder = ({ height = 250 }: { height?: number }) => <Loading label="Loading chart" height={`${height}px`} />;

/** The chart library has 100 kB: it is loaded after the screen. */
export const TimeChart = lazyComponent<TimeChartProps>(async () => (await import('./TimeChart.tsx')).TimeChart, Placeholder);
export const DailyChart = lazyComponent<DailyChartProps>(async () => (await import('./DailyChart.tsx')).DailyChart, Placeholder);
export const LatencyChart = lazyComponent<LatencyChartProps>(
  async () => (await import('./LatencyChart.tsx')).LatencyChart,
  Placeholder,
);
export const SeatChart = lazyComponent<SeatChartProps>(async () => (await import('./SeatChart.tsx')).SeatChart, Placeholder);
