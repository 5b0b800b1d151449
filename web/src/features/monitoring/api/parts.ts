import type { ChartDimension, ChartSeries, ChartsReply } from '../../../../../src/contracts/charts.ts';
import type { Series } from '../../../ui/charts/chartParts.tsx';
import { monitoringTexts } from '../texts.ts';
import type { ViewFilter } from './period.ts';

const { parts: texts } = monitoringTexts;

/** Colors of the largest parts; those after them have the same colors with dashed lines. */
const COLORS = ['chart-1', 'chart-3', 'chart-5', 'chart-4', 'chart-2', 'chart-6'];
const OTHERS_COLOR = 'chart-axis';
/** The color of the sum of all parts. */
export const TOTAL_COLOR = 'fg';

/** A part of the calls. `calls` and `failed` are those of the whole period; `filter` shows only this part, unless it is of all others. */
export type Part = Readonly<
  Pick<Series, 'name' | 'color' | 'kind'> & { id: string; calls: number; failed: number; filter: ViewFilter | null }
>;

/** The values of a part, by the name of its chart. */
export const PART_VALUES = ['calls', 'failed', 'p95'] as const;
/** The key of a part's values in the points of a chart. */
export const partKey = (value: (typeof PART_VALUES)[number], { id }: Pick<Part, 'id'>): string => `${value}.${id}`;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** What a value is called on the screen. */
export const shownValue = (by: ChartDimension, key: string, names: ChartsReply['names']): string => {
  switch (by) {
    case 'service':
      return texts.services[key] ?? key;
    case 'outcome':
      return texts.outcomes[key] ?? key;
    case 'customer':
    case 'integrator':
      return names[key] ?? texts.unknown;
    case 'operation':
    case 'instance':
      return key;
  }
};

const filterOf = (by: ChartDimension, key: string, customerId: string | null): ViewFilter => ({
  [by]: key,
  ...(customerId !== null && { customer: customerId }),
});

/** The parts of the calls, the largest first and all others last. */
export const partsOf = (series: readonly ChartSeries[], by: ChartDimension, names: ChartsReply['names']): Part[] =>
  series.map(({ key, customerId, calls, failed }, at) => {
    const counts = { id: String(at), calls: sum(calls), failed: sum(failed) };
    if (key === null) return { ...counts, name: texts.others, color: OTHERS_COLOR, kind: 'dashed', filter: null };
    const name = shownValue(by, key, names);
    return {
      ...counts,
      name: customerId === null ? name : texts.ofCustomer(name, names[customerId] ?? texts.unknown),
      color: COLORS[at % COLORS.length] ?? OTHERS_COLOR,
      kind: at < COLORS.length ? 'line' : 'dashed',
      filter: filterOf(by, key, customerId),
    };
  });

/** The values of all parts at a point of the chart, by their keys. */
export const partValues = (series: readonly ChartSeries[], at: number, seconds: number): Record<string, number | null> =>
  Object.fromEntries(
    series.flatMap(({ calls, failed, p95 }, index) => {
      const part = { id: String(index) };
      const rate = (count: number | undefined): number | null => (count === undefined || seconds === 0 ? null : count / seconds);
      return [
        [partKey('calls', part), rate(calls[at])],
        [partKey('failed', part), rate(failed[at])],
        [partKey('p95', part), p95[at] ?? null],
      ];
    }),
  );
