import { lazyComponent } from '../../lib/lazyScreen.tsx';
import { Loading } from '../states.tsx';
import type { DailyChartProps } from './DailyChart.tsx';
import type { LatencyChartProps } from './LatencyChart.tsx';
import type { SeatChartProps } from './SeatChart.tsx';
import type { TimeChartProps } from './TimeChart.tsx';

const Placeholder = ({ height = 250 }: { height?: number }) => <Loading label="Loading chart" height={`${height}px`} />;

/** The chart library has 100 kB: it is loaded after the screen. */
export const TimeChart = lazyComponent<TimeChartProps>(async () => (await import('./TimeChart.tsx')).TimeChart, Placeholder);
/** A chart by day, whose code is fetched when it is first shown. */
export const DailyChart = lazyComponent<DailyChartProps>(async () => (await import('./DailyChart.tsx')).DailyChart, Placeholder);
/** A chart of response times, whose code is fetched when it is first shown. */
export const LatencyChart = lazyComponent<LatencyChartProps>(
  async () => (await import('./LatencyChart.tsx')).LatencyChart,
  Placeholder,
);
/** A chart of used seats, whose code is fetched when it is first shown. */
export const SeatChart = lazyComponent<SeatChartProps>(async () => (await import('./SeatChart.tsx')).SeatChart, Placeholder);
