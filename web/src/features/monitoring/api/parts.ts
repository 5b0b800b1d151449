import type { ChartDimension, ChartSeries, ChartsReply, ConnectedSeries } from '../../../../../src/contracts/charts.ts';
import type { Series } from '../../../ui/charts/chartParts.tsx';
import { monitoringTexts } from '../texts.ts';
import type { ViewFilter } from './period.ts';

const { parts: texts } = monitoringTexts;

const COLORS = ['chart-1', 'chart-3', 'chart-5', 'chart-4', 'chart-2', 'chart-6'];
/** The look of the largest parts: those after the first colors have the same ones with dashed lines. */
const LOOKS = (['line', 'dashed'] as const).flatMap((kind) => COLORS.map((color) => ({ color, kind })));
const OTHERS_LOOK = { color: 'chart-axis', kind: 'dashed' } as const;
/** The color of the sum of all parts. */
export const TOTAL_COLOR = 'fg';

/** A part of the calls. `calls` and `failed` are those of the whole period; `filter` shows only this part, unless it is of all others. */
export type Part = Readonly<
  Pick<Series, 'name' | 'color' | 'kind'> & { id: string; calls: number; failed: number; filter: ViewFilter | null }
>;
/** A part of the connected users. */
export type ConnectedPart = Omit<Part, 'calls' | 'failed'>;

/** The values of a part, by the name of its chart. */
export const PART_VALUES = ['calls', 'failed', 'p95'] as const;
/** The key of a part's values in the points of a chart. */
export const partKey = (value: (typeof PART_VALUES)[number] | 'connectedUsers', { id }: Pick<Part, 'id'>): string =>
  `${value}.${id}`;

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
    if (key === null) return { ...counts, name: texts.others, ...OTHERS_LOOK, filter: null };
    const name = shownValue(by, key, names);
    return {
      ...counts,
      name: customerId === null ? name : texts.ofCustomer(name, names[customerId] ?? texts.unknown),
      ...(LOOKS[at] ?? OTHERS_LOOK),
      filter: filterOf(by, key, customerId),
    };
  });

/** The parts of the connected users, in this order. What is a part of the calls too looks the same. */
export const connectedPartsOf = (
  connected: readonly ConnectedSeries[],
  by: ChartDimension,
  names: ChartsReply['names'],
  parts: readonly Part[],
): ConnectedPart[] => {
  const alike = (key: string | null) => parts.find(({ filter }) => key !== null && filter?.[by] === key);
  const isUsed = (look: (typeof LOOKS)[number]) =>
    connected.some(({ key }) => alike(key)?.color === look.color && alike(key)?.kind === look.kind);
  const unused = LOOKS.filter((look) => !isUsed(look));
  return connected.map(({ key }, at) => {
    const id = String(at);
    if (key === null) return { id, name: texts.others, ...OTHERS_LOOK, filter: null };
    const { color, kind } = alike(key) ?? unused.shift() ?? OTHERS_LOOK;
    return { id, name: shownValue(by, key, names), color, ...(kind && { kind }), filter: filterOf(by, key, null) };
  });
};

/** The values of all parts of the connected users at a point of the chart, by their keys; null while no server ran. */
export const connectedValues = (
  connected: readonly ConnectedSeries[],
  at: number,
  isRunning: boolean,
): Record<string, number | null> =>
  Object.fromEntries(
    connected.map(({ users }, index) => [partKey('connectedUsers', { id: String(index) }), isRunning ? (users[at] ?? null) : null]),
  );

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
