import { Box, type BoxProps, Flex, Text } from '@chakra-ui/react';
import type { ReactNode, Ref } from 'react';

export const Card = (props: BoxProps & { ref?: Ref<HTMLDivElement> }) => (
  <Box bg="bg.panel" borderWidth="1px" borderColor="border" borderRadius="l3" boxShadow="sm" overflow="hidden" {...props} />
);

type CardHeadProps = {
  title: string;
  sub?: ReactNode;
  right?: ReactNode;
  /** What is on the right is small enough to stay there, however narrow the card is. */
  isRightSmall?: boolean;
};

/** As high with a button as without one, so that cards side by side begin alike. */
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
