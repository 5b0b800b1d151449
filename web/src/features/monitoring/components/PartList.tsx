import { Box, Flex, Text } from '@chakra-ui/react';
import type { ChartDimension } from '../../../../../src/contracts/charts.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { colorOf } from '../../../ui/charts/chartParts.tsx';
import { Activity } from '../../../ui/icons.ts';
import { Empty } from '../../../ui/states.tsx';
import type { Counts, Drawing } from '../api/charts.ts';
import { type Part, TOTAL_COLOR } from '../api/parts.ts';
import type { ViewFilter } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';

const { parts: texts } = monitoringTexts;

const Swatch = ({ color, kind }: Pick<Part, 'color' | 'kind'>) => (
  <Box
    w="4"
    flexShrink="0"
    borderTopWidth="3px"
    borderTopStyle={kind === 'dashed' ? 'dashed' : 'solid'}
    style={{ borderTopColor: colorOf(color) }}
  />
);

type Shown = Pick<Part, 'name' | 'color' | 'kind' | 'calls' | 'failed' | 'filter'>;

const totalOf = (name: string, kind: NonNullable<Part['kind']>, counts: Counts): Shown => ({
  name,
  color: TOTAL_COLOR,
  kind,
  filter: null,
  ...counts,
});

/** The sum of all parts, and that of the previous period. */
export const totalsOf = ({ totals }: Drawing): readonly Shown[] =>
  totals === null
    ? []
    : [
        totalOf(texts.total, 'line', totals.current),
        ...(totals.previous ? [totalOf(monitoringTexts.period.previous(texts.total), 'dashed', totals.previous)] : []),
      ];

const Row = ({ part, onChoose }: { part: Shown; onChoose: (filter: ViewFilter) => void }) => {
  const { name, filter, calls, failed } = part;
  return (
    <tr>
      <td>
        <Flex align="center" gap="2.5" minW="0">
          <Swatch {...part} />
          {filter ? (
            <Box asChild textAlign="start" overflowWrap="anywhere">
              <button type="button" className="text-link" onClick={() => onChoose(filter)} aria-label={texts.filterBy(name)}>
                {name}
              </button>
            </Box>
          ) : (
            <Text as="span" color="fg.muted">
              {name}
            </Text>
          )}
        </Flex>
      </td>
      <td>{format.whole(calls)}</td>
      <td>{format.whole(failed)}</td>
      <td>{calls > 0 ? format.percent(failed / calls, 1) : '–'}</td>
    </tr>
  );
};

type PartListProps = {
  parts: readonly Part[];
  totals: readonly Shown[];
  by: ChartDimension | null;
  /** The number of customers or integrators that were compared; null for all. */
  among: number | null;
  onChoose: (filter: ViewFilter) => void;
};

const subOf = (by: ChartDimension | null, among: number | null): string =>
  among === null ? texts.sub : texts.among(format.whole(among), by === 'integrator' ? 'integrators' : 'customers');

/** The parts of the calls in the period: the legend of the divided charts. Choosing one limits the charts to it. */
export const PartList = ({ parts, totals, by, among, onChoose }: PartListProps) => (
  <Card as="section" aria-label={texts.title}>
    <CardHead title={texts.title} sub={subOf(by, among)} />
    {parts.length + totals.length === 0 ? (
      <Empty icon={Activity} title={texts.none} height="180px" />
    ) : (
      <Box
        px={{ base: '4', md: '5' }}
        pb="3"
        textStyle="sm"
        overflowX="auto"
        css={{
          '& table': { width: '100%', fontVariantNumeric: 'tabular-nums' },
          '& th': { color: 'fg.subtle', fontWeight: 'medium', textStyle: 'xs', pb: '1.5' },
          '& :is(th, td):not(:first-of-type)': { textAlign: 'end', ps: '4', whiteSpace: 'nowrap' },
          '& th:first-of-type': { textAlign: 'start' },
          '& td': { py: '1' },
        }}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{by ? texts.dimensions[by] : ''}</th>
              <th scope="col">{texts.calls.title}</th>
              <th scope="col">{monitoringTexts.calls.failed}</th>
              <th scope="col">{texts.errorRate}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <Row key={part.id} part={part} onChoose={onChoose} />
            ))}
          </tbody>
          {totals.length > 0 && (
            <tfoot>
              {totals.map((total) => (
                <Row key={total.name} part={total} onChoose={onChoose} />
              ))}
            </tfoot>
          )}
        </table>
      </Box>
    )}
  </Card>
);
