import { type HTMLAttributes, type MouseEvent, useRef, useState } from 'react';
import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';
import type { ChartAxes } from '../../../ui/charts/TimeChart.tsx';
import type { ViewFilter } from '../api/period.ts';
import { nearestSeries } from './nearestSeries.ts';

/**
 * What a series opens: the filter of its part, and a note where that is more than what the series counts. The parts of later points may
 * have other keys, so a choice is remembered by the `id`.
 */
export type SeriesTarget = Readonly<{ id: string; filter: ViewFilter; note?: string }>;
/** The targets of the series that have one, in the order of the chart, by the key of the series. */
export type SeriesTargets = ReadonlyMap<string, SeriesTarget>;

const STEPS: Readonly<Partial<Record<string, 1 | -1>>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The series of a chart that the mouse points at, or that the up and down keys choose after the left and right ones have chosen a point:
 * its key, its target (none for all series), and the listeners of the element around the chart.
 */
export const useSeriesChoice = (points: readonly ChartPoint[], keys: readonly string[], targets: SeriesTargets) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const key = keys.find((one) => chosen !== null && targets.get(one)?.id === chosen);
  // A tap opens the series in the same task in which it points at it.
  const current = useRef<SeriesTarget>(undefined);
  current.current = key === undefined ? undefined : targets.get(key);
  const choose = (next: string | null | undefined): void => {
    current.current = next == null ? undefined : targets.get(next);
    setChosen(current.current?.id ?? null);
  };
  const listenersOf = (axes: ChartAxes): HTMLAttributes<HTMLElement> => {
    const point = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void => {
      const { left, top, width, height } = currentTarget.getBoundingClientRect();
      // Where a part is all calls, its line is that of the total as well.
      choose(nearestSeries(points, [...targets.keys(), ...keys], axes, { x: clientX - left, y: clientY - top, width, height }));
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
        const choices = [undefined, ...targets.keys()];
        choose(choices.at((choices.indexOf(key) + step) % choices.length));
      },
    };
  };
  return { key: key ?? null, target: () => current.current, listenersOf: targets.size === 0 ? undefined : listenersOf };
};
