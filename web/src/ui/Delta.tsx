import { Flex } from '@chakra-ui/react';
import { ArrowDown, ArrowUpRight } from './icons.ts';

type DeltaProps = { value: string; text: string; direction?: 'up' | 'down' | 'none' };

/** The change of a number, green for up and red for down. */
export const Delta = ({ value, text, direction = 'none' }: DeltaProps) => (
  <>
    <Flex
      as="span"
      align="center"
      gap="0.5"
      fontWeight="medium"
      color={direction === 'up' ? 'fg.success' : direction === 'down' ? 'fg.error' : 'fg.muted'}
    >
      {direction === 'up' && <ArrowUpRight size={13} strokeWidth={2.4} aria-hidden />}
      {direction === 'down' && <ArrowDown size={13} strokeWidth={2.4} aria-hidden />}
      {value}
    </Flex>
    {text}
  </>
);
