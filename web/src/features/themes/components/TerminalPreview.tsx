import { Box, Flex, Text } from '@chakra-ui/react';
import { themeTexts } from '../texts.ts';

const { preview } = themeTexts;

export type PreviewColors = { primary: string; secondary: string; accent: string };

/** A terminal is dark in both color modes. */
const GROUND = '#0B1016';
const TEXT = '#C9D3DD';

/** A developer's terminal with a theme. Decorative: screen readers skip it. */
export const TerminalPreview = ({ colors }: { colors: PreviewColors }) => (
  <Box
    aria-hidden
    bg={GROUND}
    color={TEXT}
    px={{ base: '4', md: '5' }}
    py="4"
    borderBottomWidth="1px"
    borderColor="border"
    fontFamily="mono"
    textStyle="xs"
    lineHeight="1.7"
    letterSpacing="0"
    minH="132px"
  >
    <Flex gap="1.5" mb="2.5">
      {[colors.primary, colors.secondary, colors.accent].map((color, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three fixed positions, and two colors may be equal
        <Box key={at} boxSize="2.5" borderRadius="full" bg={color} boxShadow="0 0 0 1px rgb(255 255 255 / 0.14)" />
      ))}
    </Flex>
    <Box>
      <Box as="span" color="#7D8B99">
        ${' '}
      </Box>
      latchkey {preview.command}
    </Box>
    <Box borderInlineStartWidth="3px" borderColor={colors.primary} ps="2.5" mt="1">
      <Flex align="center" gap="2">
        <Box boxSize="1.5" borderRadius="full" bg={colors.secondary} />
        {preview.connected}
      </Flex>
      <Flex align="center" gap="2">
        <Box boxSize="1.5" borderRadius="full" bg={colors.accent} />
        {preview.seat}
      </Flex>
      <Box color="#93A1AF">{preview.calls}</Box>
    </Box>
  </Box>
);

/** A color with its name and hex value. */
export const Swatch = ({ label, color }: { label: string; color: string }) => (
  <Flex align="center" gap="2">
    <Box boxSize="6" borderRadius="sm" bg={color} boxShadow="inset 0 0 0 1px rgb(0 0 0 / 0.12)" flexShrink="0" aria-hidden />
    <Box>
      <Text textStyle="2xs" color="fg.subtle">
        {label}
      </Text>
      <code className="mono">{color}</code>
    </Box>
  </Flex>
);
