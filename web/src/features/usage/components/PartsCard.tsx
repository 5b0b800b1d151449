import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { UsagePart } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Activity } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useIsPaper } from '../../../ui/paper.ts';
import { Empty } from '../../../ui/states.tsx';
import { usageScreenTexts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';

const { parts: texts } = usageScreenTexts;
const SHOWN = 10;

/** A part with its name, and the address of its calls where the session may see them. */
export type NamedPart = UsagePart & Readonly<{ name: string; to: string | null }>;

const styles = {
  printColorAdjust: 'exact',
  '& table': { width: '100%', fontVariantNumeric: 'tabular-nums' },
  '& th': { color: 'fg.subtle', fontWeight: 'medium', textStyle: 'xs', pb: '1.5' },
  '& :is(th, td):not(:first-of-type)': { textAlign: 'end', ps: '4', whiteSpace: 'nowrap' },
  '& th:first-of-type': { textAlign: 'start', width: '100%' },
  '& td': { py: '1', verticalAlign: 'top' },
  '& td:first-of-type': { overflowWrap: 'anywhere' },
} as const;

/** The part's share of all calls, as the length of a bar. */
const Bar = ({ share }: { share: number }) => (
  <Box h="1" mt="1" borderRadius="full" bg="bg.muted" overflow="hidden" aria-hidden>
    <Box h="full" bg="chart.1" borderRadius="full" style={{ width: `${share * 100}%` }} />
  </Box>
);

type RowProps = { part: NamedPart; total: number; showsErrors: boolean; onChoose: ((key: string) => void) | undefined };

const Row = ({ part: { key, name, to, calls, errors }, total, showsErrors, onChoose }: RowProps) => (
  <tr>
    <td>
      <Flex align="center" gap="1" minW="0">
        {key === null || onChoose === undefined ? (
          <Text as="span" color={key === null ? 'fg.muted' : 'fg'}>
            {name}
          </Text>
        ) : (
          <Box asChild textAlign="start" overflowWrap="anywhere">
            <button type="button" className="text-link" onClick={() => onChoose(key)} aria-label={usageTexts.only(name)}>
              {name}
            </button>
          </Box>
        )}
        {to !== null && (
          <Button asChild variant="ghost" size="2xs" px="1" className="no-print">
            <Link to={to} aria-label={texts.open(name)} title={texts.open(name)}>
              <Activity aria-hidden size={14} />
            </Link>
          </Button>
        )}
      </Flex>
      <Bar share={total > 0 ? calls / total : 0} />
    </td>
    <td>{format.whole(calls)}</td>
    <td>{total > 0 ? format.percent(calls / total, 1) : '–'}</td>
    {showsErrors && <td>{calls > 0 ? format.percent(errors / calls, 1) : '–'}</td>}
  </tr>
);

/** The ten largest parts; the others, added up, last. */
const cut = (parts: readonly NamedPart[]): NamedPart[] => {
  const [shown, rest] = [parts.slice(0, SHOWN), parts.slice(SHOWN)];
  if (rest.length === 0) return shown;
  const sum = (column: 'calls' | 'errors'): number => rest.reduce((total, part) => total + part[column], 0);
  const others = { key: null, name: texts.others, to: null, avgResponseTime: 0, lastActive: null };
  return [...shown, { ...others, calls: sum('calls'), errors: sum('errors') }];
};

type PartsCardProps = {
  of: 'operations' | 'users' | 'services' | 'reasons' | 'customers';
  parts: readonly NamedPart[];
  total: number;
  /** Chooses a part by its key. */
  onChoose?: (key: string) => void;
};

/** A breakdown of the calls of a range: a part is chosen by its name, and has a link to its single calls. */
export const PartsCard = ({ of, parts, total, onChoose }: PartsCardProps) => {
  const [isWhole, setWhole] = useState(false);
  const isPaper = useIsPaper();
  const { title, one } = texts[of];
  const showsErrors = of !== 'reasons';
  return (
    <Card as="section" aria-label={title}>
      <CardHead title={title} />
      {parts.length === 0 ? (
        <Empty icon={Activity} title={of === 'reasons' ? texts.noErrors : texts.none} height="140px" />
      ) : (
        <Box px={{ base: '4', md: '5' }} pb="4" textStyle="sm" css={styles}>
          <table>
            <thead>
              <tr>
                <th scope="col">{one}</th>
                <th scope="col">{texts.calls}</th>
                <th scope="col">{texts.share}</th>
                {showsErrors && <th scope="col">{texts.errorRate}</th>}
              </tr>
            </thead>
            <tbody>
              {(isWhole || isPaper ? parts : cut(parts)).map((part) => (
                <Row key={part.key ?? ''} part={part} total={total} showsErrors={showsErrors} onChoose={onChoose} />
              ))}
            </tbody>
          </table>
          {parts.length > SHOWN && (
            <Button size="xs" variant="outline" mt="3" onClick={() => setWhole(!isWhole)} className="no-print">
              {isWhole ? texts.fewer : texts.all(parts.length)}
            </Button>
          )}
        </Box>
      )}
    </Card>
  );
};
