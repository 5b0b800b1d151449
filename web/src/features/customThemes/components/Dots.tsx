import { Box, Flex } from '@chakra-ui/react';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';

const Dot = ({ color }: { color: string }) => (
  <Box as="span" boxSize="14px" borderRadius="full" boxShadow="inset 0 0 0 1px rgb(0 0 0 / 0.14)" style={{ background: color }} />
);

type DotsProps = { colors: Pick<CustomTheme['themeConfig']['colors'], 'primary' | 'secondary' | 'accent'> };

/** A theme's three colours, for the eye only. */
export const Dots = ({ colors: { primary, secondary, accent } }: DotsProps) => (
  <Flex as="span" display="inline-flex" gap="1" flexShrink="0" aria-hidden>
    <Dot color={primary} />
    <Dot color={secondary} />
    <Dot color={accent} />
  </Flex>
);
