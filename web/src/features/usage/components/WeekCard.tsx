import { Box, Flex, Text } from '@chakra-ui/react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';

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
  '& td': { height: { base: '18px', md: '22px' }, borderRadius: '3px' },
} as const;

/** How many calls were made in each hour of the week. */
export const WeekCard = ({ week, zone }: Pick<Usage, 'week' | 'zone'>) => {
  const most = Math.max(1, ...week.calls);
  return (
    <Card>
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
          <tbody>
            {texts.days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day.slice(0, 3)}</th>
                {HOURS.map((hour) => {
                  const at = index * HOURS.length + hour;
                  const [calls, errors] = [week.calls[at] ?? 0, week.errors[at] ?? 0];
                  return (
                    <td
                      key={hour}
                      title={texts.cell(day, clockOf(hour), usageTexts.calls(format.whole(calls)), format.whole(errors))}
                      style={{ background: colorOf(calls / most) }}
                    >
                      <span className="visually-hidden">{calls}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  );
};
