import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { unthrottled } from './chartParts.tsx';
import { type Label, usePointKeys } from './usePointKeys.ts';

/** A day of a chart: from an instant until before another. */
export type ChartDay = Readonly<{ day: string; from: string; to: string }>;

/** The address of the calls of a day in a list of calls, which includes its last moment. */
const callsOfDay = (list: string, { from, to }: ChartDay): string => {
  const [path, search] = list.split('?');
  const address = new URLSearchParams(search);
  address.set('from', from);
  address.set('to', new Date(Date.parse(to) - 1).toISOString());
  return `${path}?${address}`;
};

/** Days of a chart that open an address when they are clicked, or by Enter. A chart without addresses opens nothing. */
export const useOpenedDays = <Day extends ChartDay>(days: readonly Day[], addressOf: ((day: Day) => string) | null) => {
  const navigate = useNavigate();
  const open = (label: Label): void => {
    const found = days.find(({ day }) => day === label);
    if (found && addressOf) void navigate(addressOf(found));
  };
  const { show, listeners } = usePointKeys(addressOf ? open : undefined);
  const chart = addressOf && {
    ...unthrottled,
    onClick: ({ activeLabel }: { activeLabel?: Label | undefined }) => activeLabel !== undefined && open(activeLabel),
    style: { cursor: 'pointer' } as const,
  };
  return { show, listeners, chart };
};

/** Days of a chart that open their calls. `list` is the address of a list of calls; null where the session may not see them. */
export const useCallsOfDays = (days: readonly ChartDay[], list: string | null) =>
  useOpenedDays(days, list === null ? null : (day) => callsOfDay(list, day));

/** The height of the sentence below a chart, in px. */
const HINT_HEIGHT = 18;

export type OpenedChartProps = {
  /** Of the chart and the sentence below it, in px: it is the same before the chart is loaded. */
  height: number;
  listeners: object;
  /** What a day opens; null for nothing. */
  opens: string | null;
  /** Whether what is around the chart keeps a distance to the edges of its card. */
  isPadded?: boolean;
  children: (height: number) => ReactNode;
};

/** A chart whose days open something, and a sentence that says so. */
export const OpenedChart = ({ height, listeners, opens, isPadded = false, children }: OpenedChartProps) => (
  <div role="presentation" {...listeners}>
    {children(opens === null ? height : height - HINT_HEIGHT)}
    {opens !== null && (
      <Text
        className="no-print"
        textStyle="xs"
        color="fg.subtle"
        px={isPadded ? '0' : { base: '4', md: '5' }}
        h={`${HINT_HEIGHT}px`}
        truncate
      >
        Click a day, or press Enter on it, to list its {opens}.
      </Text>
    )}
  </div>
);
