import { Box, Flex, Text } from '@chakra-ui/react';

type Entry = { dataKey?: unknown; name?: unknown; value?: unknown; color?: string };

export type ChartTipProps = {
  active?: boolean | undefined;
  payload?: readonly Entry[] | undefined;
  label?: unknown;
  formatLabel: (label: number | string) => string;
  formatValue: (value: number) => string;
  /** The key of the series whose line is strong. */
  emphasized?: string | null;
  /** What happened at the point. */
  notes?: readonly string[] | undefined;
};

/** More notes of a point are counted. */
const MOST_NOTES = 3;

const isLabel = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string';

/** The tooltip of the chart at the pointer or the focus. */
export const ChartTip = ({ active, payload, label, formatLabel, formatValue, emphasized, notes = [] }: ChartTipProps) => {
  if (!active || !payload?.length || !isLabel(label)) return null;
  const known = payload.filter(({ value }) => typeof value === 'number');
  return (
    <Box bg="bg.panel" boxShadow="lg" borderRadius="l2" px="3" py="2.5" minW="148px">
      <Text textStyle="xs" color="fg.subtle" mb="1.5">
        {formatLabel(label)}
      </Text>
      {known.length === 0 && <Text textStyle="xs">No data</Text>}
      {known.map(({ dataKey, name, value, color }) => (
        <Flex key={String(dataKey)} align="center" gap="2" textStyle="xs" py="0.5">
          <Box boxSize="2" borderRadius="2px" bg={color ?? 'chart.1'} flexShrink="0" />
          <Text as="span" color={dataKey === emphasized ? 'fg' : 'fg.muted'} flex="1">
            {String(name)}
          </Text>
          <Text as="span" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {typeof value === 'number' ? formatValue(value) : 'None'}
          </Text>
        </Flex>
      ))}
      {[...new Set(notes)].slice(0, MOST_NOTES).map((note) => (
        <Text key={note} textStyle="xs" color="fg.muted" mt="1.5" maxW="240px" whiteSpace="normal">
          {note}
        </Text>
      ))}
      {notes.length > MOST_NOTES && (
        <Text textStyle="xs" color="fg.subtle" mt="1">
          and {notes.length - MOST_NOTES} more
        </Text>
      )}
    </Box>
  );
};
