import { Box, Flex, Text } from '@chakra-ui/react';
import { type KeyboardEvent, useState } from 'react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Link } from '../../../ui/Link.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { type CallsOf, periodOf } from './usageCalls.ts';
import { hoursOfCell, type WeekDay } from './weekHours.ts';

const { week: texts } = usageScreenTexts;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const LABEL_EVERY = 6;
/** The least that a cell with calls is coloured, in per cent. */
const FAINTEST = 14;
const LEGEND = [0, 0.25, 0.5, 0.75, 1];

const clockOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The colour of a share of the busiest hour. */
const colorOf = (share: number): string =>
  share === 0
    ? 'var(--chakra-colors-bg-muted)'
    : `color-mix(in srgb, var(--chakra-colors-chart-1) ${FAINTEST + share * (100 - FAINTEST)}%, var(--chakra-colors-bg-muted))`;

const styles = {
  printColorAdjust: 'exact',
  '& table': { width: '100%', tableLayout: 'fixed', borderCollapse: 'separate', borderSpacing: '2px' },
  '& th': { textStyle: '2xs', color: 'fg.subtle', fontWeight: 'medium', textAlign: 'start', whiteSpace: 'nowrap' },
  '& th:first-of-type': { width: '34px' },
  '& td': { height: { base: '18px', md: '22px' }, borderRadius: '3px', p: '0' },
  '& td button': { display: 'block', width: '100%', height: '100%', borderRadius: '3px', cursor: 'pointer' },
  '& td button[aria-pressed=true]': { outline: '2px solid', outlineColor: 'fg' },
} as const;

const nameOf = (cell: number): string => `${texts.days[Math.floor(cell / HOURS.length)]} ${clockOf(cell % HOURS.length)}`;

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -HOURS.length, ArrowDown: HOURS.length };

/** The next cell with calls in the direction of an arrow key; null for none, and for other keys. */
const nextCell = (calls: readonly number[], from: number, key: string): number | null => {
  const step = STEPS[key];
  if (step === undefined) return null;
  for (let cell = from + step; cell >= 0 && cell < calls.length; cell += step) if ((calls[cell] ?? 0) > 0) return cell;
  return null;
};

type HoursProps = Pick<Usage, 'zone'> & { daily: readonly WeekDay[]; cell: number; callsOf: CallsOf };

/** The hours that a cell adds up, each with its calls. */
const Hours = ({ cell, daily, zone, callsOf }: HoursProps) => (
  <Flex role="group" aria-label={texts.hoursOf(nameOf(cell))} wrap="wrap" columnGap="3" rowGap="1" textStyle="sm">
    <Text as="span" color="fg.muted">
      {texts.hoursOf(nameOf(cell))}
    </Text>
    {hoursOfCell({ daily, zone }, cell).map(({ day, from, to }) => (
      <Link key={day} className="text-link" to={callsOf(periodOf(from, to))}>
        {format.day(day)}
      </Link>
    ))}
  </Flex>
);

type WeekProps = Pick<Usage, 'week' | 'zone'> & {
  daily: readonly WeekDay[];
  /** The address of single calls with a filter; null where the session may not see them. */
  callsOf: CallsOf | null;
};

/** How many calls were made in each hour of the week. An hour of the week names its hours of the range, which open their calls. */
export const WeekCard = ({ week, zone, daily, callsOf }: WeekProps) => {
  const most = Math.max(1, ...week.calls);
  const [chosen, setChosen] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const tabStop = focused ?? week.calls.indexOf(most);
  const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
    const cell = nextCell(week.calls, tabStop, event.key);
    if (cell === null) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus();
  };
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={texts.sub(zone)}
        right={
          <Flex align="center" gap="1" textStyle="xs" color="fg.muted" aria-hidden>
            <Text as="span" me="1">
              {texts.fewer}
            </Text>
            {LEGEND.map((share) => (
              <Box key={share} boxSize="3" borderRadius="3px" style={{ background: colorOf(share) }} />
            ))}
            <Text as="span" ms="1">
              {texts.more}
            </Text>
          </Flex>
        }
      />
      <Box px={{ base: '3', md: '5' }} pb="4" css={styles}>
        <table aria-label={texts.table}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{texts.day}</span>
              </th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {hour % LABEL_EVERY === 0 ? clockOf(hour).slice(0, 2) : <span className="visually-hidden">{clockOf(hour)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={moveFocus}>
            {texts.days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day.slice(0, 3)}</th>
                {HOURS.map((hour) => {
                  const cell = index * HOURS.length + hour;
                  const [calls, errors] = [week.calls[cell] ?? 0, week.errors[cell] ?? 0];
                  const title = texts.cell(nameOf(cell), usageTexts.calls(format.whole(calls)), format.whole(errors));
                  return (
                    <td key={hour} title={title} style={{ background: colorOf(calls / most) }}>
                      {callsOf && calls > 0 ? (
                        <button
                          type="button"
                          data-cell={cell}
                          tabIndex={cell === tabStop ? 0 : -1}
                          aria-pressed={cell === chosen}
                          aria-label={title}
                          onFocus={() => setFocused(cell)}
                          onClick={() => setChosen(cell === chosen ? null : cell)}
                        />
                      ) : (
                        <span className="visually-hidden">{calls}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {callsOf && (
          <Box mt="2" minH="6">
            {chosen === null ? (
              <Text className="no-print" textStyle="xs" color="fg.subtle">
                {texts.openHint}
              </Text>
            ) : (
              <Hours cell={chosen} daily={daily} zone={zone} callsOf={callsOf} />
            )}
          </Box>
        )}
      </Box>
    </Card>
  );
};
