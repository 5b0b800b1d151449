import { Box, type BoxProps, Flex, Text } from '@chakra-ui/react';
import type { ReactNode, Ref } from 'react';

/** A bordered panel, the frame of most parts of a screen. */
export const Card = (props: BoxProps & { ref?: Ref<HTMLDivElement> }) => (
  <Box bg="bg.panel" borderWidth="1px" borderColor="border" borderRadius="l3" boxShadow="sm" overflow="hidden" {...props} />
);

type CardHeadProps = {
  title: string;
  sub?: ReactNode;
  right?: ReactNode;
  /** Whether the content on the right stays there on a narrow card. */
  isRightSmall?: boolean;
};

/** Has the same height with and without a button, so that cards side by side align. */
export const CardHead = ({ title, sub, right, isRightSmall = false }: CardHeadProps) => (
  <Flex
    align="center"
    justify="space-between"
    gap="3"
    px={{ base: '4', md: '5' }}
    pt="4"
    pb="3.5"
    wrap={isRightSmall ? 'nowrap' : 'wrap'}
  >
    <Box minW="0">
      <Text as="h2" textStyle="md" fontWeight="semibold" letterSpacing="-0.014em">
        {title}
      </Text>
      {sub && (
        <Text as="div" textStyle="sm" color="fg.subtle" mt="0.5" textWrap="pretty">
          {sub}
        </Text>
      )}
    </Box>
    {right && <Box my={{ md: '-5px' }}>{right}</Box>}
  </Flex>
);
