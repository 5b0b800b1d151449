import { Box, Button, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { UsagePart } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Activity } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty } from '../../../ui/states.tsx';
import { usageScreenTexts } from '../screenTexts.ts';

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

type RowProps = { part: NamedPart; total: number; showsErrors: boolean };

const Row = ({ part: { key, name, to, calls, errors }, total, showsErrors }: RowProps) => (
  <tr>
    <td>
      {to === null ? (
        <Text as="span" color={key === null ? 'fg.muted' : 'fg'}>
          {name}
        </Text>
      ) : (
        <Link className="text-link" to={to} aria-label={texts.open(name)}>
          {name}
        </Link>
      )}
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

type PartsCardProps = { of: 'operations' | 'users' | 'services' | 'reasons'; parts: readonly NamedPart[]; total: number };

/** A breakdown of the calls of a range, with links to the single calls of each part. */
export const PartsCard = ({ of, parts, total }: PartsCardProps) => {
  const [isWhole, setWhole] = useState(false);
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
              {(isWhole ? parts : cut(parts)).map((part) => (
                <Row key={part.key ?? ''} part={part} total={total} showsErrors={showsErrors} />
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
