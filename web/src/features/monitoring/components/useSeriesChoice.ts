import { type HTMLAttributes, type MouseEvent, useRef, useState } from 'react';
import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';
import type { ChartAxes } from '../../../ui/charts/TimeChart.tsx';
import type { ViewFilter } from '../api/period.ts';
import { nearestSeries } from './nearestSeries.ts';

/** The filter of each series that has one, in the order of the chart, by the key of the series. */
export type SeriesFilters = ReadonlyMap<string, ViewFilter>;

/** The parts of later points may have other keys, so the choice is remembered by the filter. */
const idOf = (filter: ViewFilter): string => JSON.stringify(filter);

const STEPS: Readonly<Partial<Record<string, 1 | -1>>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The series of a chart that the mouse points at, or that the up and down keys choose after the left and right ones have chosen a point:
 * its key, its filter (none for all calls), and the listeners of the element around the chart.
 */
export const useSeriesChoice = (points: readonly ChartPoint[], keys: readonly string[], filters: SeriesFilters) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const key = keys.find((one) => {
    const filter = filters.get(one);
    return filter !== undefined && idOf(filter) === chosen;
  });
  // A tap opens the series in the same task in which it points at it.
  const current = useRef<ViewFilter>({});
  current.current = (key !== undefined && filters.get(key)) || {};
  const choose = (next: string | null | undefined): void => {
    const filter = next == null ? undefined : filters.get(next);
    current.current = filter ?? {};
    setChosen(filter === undefined ? null : idOf(filter));
  };
  const listenersOf = (axes: ChartAxes): HTMLAttributes<HTMLElement> => {
    const point = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void => {
      const { left, top, width, height } = currentTarget.getBoundingClientRect();
      // Where a part is all calls, its line is that of the total as well.
      choose(nearestSeries(points, [...filters.keys(), ...keys], axes, { x: clientX - left, y: clientY - top, width, height }));
    };
    return {
      onMouseMoveCapture: point,
      onMouseDownCapture: point,
      onMouseLeave: () => choose(null),
      onBlur: () => choose(null),
      onKeyDown: (event) => {
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        // None is chosen before the first and after the last.
        const choices = [undefined, ...filters.keys()];
        choose(choices.at((choices.indexOf(key) + step) % choices.length));
      },
    };
  };
  return { key: key ?? null, filterOf: () => current.current, listenersOf: filters.size === 0 ? undefined : listenersOf };
};
