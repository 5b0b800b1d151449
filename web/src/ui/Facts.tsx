import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A list of labels and values. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <chakra.dl px={{ base: '4', md: '5' }} pb="3" display="grid" gridTemplateColumns="minmax(0, 1fr)">
    {children}
  </chakra.dl>
);

/** A row of a label and its value. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box
    display="flex"
    alignItems="center"
    justifyContent="space-between"
    gap="4"
    py="2"
    minH="10"
    borderTopWidth="1px"
    borderColor="border.muted"
    textStyle="sm"
  >
    <chakra.dt color="fg.subtle" flexShrink="0">
      {label}
    </chakra.dt>
    <chakra.dd
      display="flex"
      alignItems="center"
      gap="1"
      minW="0"
      textAlign="end"
      overflowWrap="anywhere"
      justifyContent="flex-end"
    >
      {children}
    </chakra.dd>
  </Box>
);
