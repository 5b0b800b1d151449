import { Box, Flex, Text } from '@chakra-ui/react';

/** A point of a chart: `at` in ms, the values by the keys of the series; null for no value. */
export type ChartPoint = Readonly<Record<string, number | null>>;

/** A line or area of a chart. `key` names its values in the points. */
export type Series = {
  key: string;
  name: string;
  /** A chart token, as `chart-1`. */
  color: string;
  /** A dashed line is for values to compare with. */
  kind?: 'area' | 'line' | 'dashed';
};

/** The CSS variable of a color token, for SVG attributes. */
export const colorOf = (token: string): string => `var(--chakra-colors-${token})`;

/** Sizes are styles because Chakra's preflight sets `font: inherit` on all elements, which overrides attributes of SVG. */
export const tick = { style: { fontSize: 11, fontVariantNumeric: 'tabular-nums' }, fill: colorOf('chart-axis') };

/** A chart that opens points finds the one below the pointer immediately, so a click or tap opens it without a hover before. */
export const unthrottled: { throttledEvents: [] } = { throttledEvents: [] };

type KeyProps = { color: string; label: string; value?: string; isDashed?: boolean };

/** A line of a chart's legend, with its newest value. */
export const ChartKey = ({ color, label, value, isDashed = false }: KeyProps) => (
  <Flex align="center" gap="2" textStyle="xs" color="fg.muted" whiteSpace="nowrap">
    {isDashed ? (
      <Box w="4" borderTop={`2px dashed ${colorOf(color)}`} flexShrink="0" />
    ) : (
      <Box boxSize="2.5" borderRadius="3px" bg={colorOf(color)} flexShrink="0" />
    )}
    {label}
    {value !== undefined && (
      <Text as="span" color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums" minW="4ch" textAlign="end">
        {value}
      </Text>
    )}
  </Flex>
);
