import { Button, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { format } from '../lib/format.ts';
import { X } from './icons.ts';

const texts = {
  title: 'Selected',
  count: (n: number): string => `${format.whole(n)} selected`,
  clear: 'Clear selection',
} as const;

type BulkBarProps = { count: number; onClear: () => void; children: ReactNode };

/** What can be done with the selected rows of a list; nothing while none is selected. */
export const BulkBar = ({ count, onClear, children }: BulkBarProps) =>
  count > 0 && (
    <Flex
      role="region"
      aria-label={texts.title}
      position="sticky"
      bottom="3"
      zIndex="docked"
      mt="3"
      px="4"
      py="2.5"
      gap="2"
      align="center"
      wrap="wrap"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.emphasized"
      borderRadius="l3"
      boxShadow="lg"
    >
      <Text as="span" textStyle="sm" fontWeight="medium" fontVariantNumeric="tabular-nums" me="2" aria-live="polite">
        {texts.count(count)}
      </Text>
      {children}
      <Button size="sm" variant="ghost" px="0" ms="auto" aria-label={texts.clear} onClick={onClear}>
        <X aria-hidden />
      </Button>
    </Flex>
  );
