import { Box, Flex, Text } from '@chakra-ui/react';
import type { ImportedLine, LineEffect } from '../../../../../src/contracts/imports.ts';
import { Badge, type Tone } from '../../../ui/badges.tsx';
import type { ImportResult } from '../api/importFile.ts';
import { importTexts as texts } from '../texts.ts';

/** The lines that are shown; all are in the result that can be downloaded. */
const SHOWN = 100;
/** In this order: what is wrong comes first. */
const EFFECTS = ['refused', 'changed', 'created', 'unchanged'] as const satisfies readonly LineEffect[];
const toneOf = { refused: 'red', changed: 'amber', created: 'green', unchanged: 'gray' } as const satisfies Record<
  LineEffect,
  Tone
>;

type LineProps = { line: ImportedLine; label: string };

const Line = ({ line: { line, name, effect, changes, problems }, label }: LineProps) => (
  <Box as="li" px="3.5" py="2.5" _notFirst={{ borderTopWidth: '1px' }}>
    <Flex gap="3" align="center" wrap="wrap">
      <Text as="span" textStyle="xs" color="fg.muted" minW="64px">
        {texts.line(line)}
      </Text>
      <Text as="span" flex="1" minW="120px" textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
        {name}
      </Text>
      <Badge tone={toneOf[effect]}>{label}</Badge>
    </Flex>
    {[...changes.map(texts.change), ...problems.map(texts.problem)].map((text) => (
      <Text key={text} textStyle="xs" color={effect === 'refused' ? 'fg.error' : 'fg.muted'} overflowWrap="anywhere">
        {text}
      </Text>
    ))}
  </Box>
);

type ImportLinesProps = { result: ImportResult; isDryRun: boolean };

/** How far an import is, its counts, and the lines that are not unchanged. */
export const ImportLines = ({ result: { lines, all, counts }, isDryRun }: ImportLinesProps) => {
  const labels = isDryRun ? texts.counts : texts.doneCounts;
  const notable = EFFECTS.slice(0, -1).flatMap((effect) => lines.filter((line) => line.effect === effect));
  const shown = notable.slice(0, SHOWN);
  return (
    <>
      <Box role="status">
        {counts === null ? (
          <Text textStyle="sm">
            {isDryRun ? texts.checking : texts.importing}: {texts.progress(lines.length, all)}
          </Text>
        ) : (
          <Flex gap="2" wrap="wrap">
            {EFFECTS.filter((effect) => counts[effect] > 0).map((effect) => (
              <Badge key={effect} tone={toneOf[effect]}>
                {texts.count(counts[effect], labels[effect])}
              </Badge>
            ))}
            {lines.length === 0 && <Text textStyle="sm">{texts.noLines}</Text>}
            {lines.length > 0 && notable.length === 0 && <Text textStyle="sm">{texts.nothing}</Text>}
          </Flex>
        )}
      </Box>
      {counts === null && (
        <progress
          aria-label={isDryRun ? texts.checking : texts.importing}
          style={{ width: '100%', accentColor: 'var(--chakra-colors-brand-solid)' }}
          max={all ?? 1}
          {...(all !== null && { value: lines.length })}
        />
      )}
      {counts !== null && shown.length > 0 && (
        <Box
          as="ul"
          listStyleType="none"
          aria-label={texts.lines}
          tabIndex={0}
          maxH="45vh"
          overflowY="auto"
          borderWidth="1px"
          borderColor="border"
          borderRadius="l2"
        >
          {shown.map((line) => (
            <Line key={line.line} line={line} label={labels[line.effect]} />
          ))}
        </Box>
      )}
      {counts !== null && notable.length > shown.length && (
        <Text textStyle="sm" color="fg.muted">
          {texts.more(notable.length - shown.length)}
        </Text>
      )}
    </>
  );
};
