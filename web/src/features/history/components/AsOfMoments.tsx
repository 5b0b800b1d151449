import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { isMissing } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { Card } from '../../../ui/Card.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Time } from '../../../ui/Time.tsx';
import type { AsOfSource } from '../api/history.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { historyTexts } from '../texts.ts';
import { Changes } from './Changes.tsx';

const INSETS = { base: '4', md: '5' } as const;

/** What every reply about a moment has. */
type Reply = Pick<AsOfReply, 'at' | 'changes' | 'lastChange'>;

/** What is shown of one moment, below when it was and who made the last change until then. */
export const MomentCard = ({ reply: { at, lastChange }, children }: { reply: Reply; children: ReactNode }) => (
  <Card data-as-of={at} minW="0">
    <Box px={INSETS} pt="4" pb="2">
      <Text as="h3" textStyle="md" fontWeight="semibold">
        {texts.asOfShown(format.exact(at))}
      </Text>
      {lastChange && (
        <Text textStyle="xs" color="fg.subtle" overflowWrap="anywhere" data-last-change>
          {lastChange.summary}, {historyTexts.by(lastChange.actor)}, <Time at={lastChange.at} />
        </Text>
      )}
    </Box>
    {children}
  </Card>
);

const Differences = ({ changes = [], isOfTwo }: { changes: Reply['changes']; isOfTwo: boolean }) => (
  <Card px={INSETS} py="4">
    <Text as="h3" textStyle="sm" fontWeight="semibold">
      {isOfTwo ? texts.changedBetween : texts.differences}
    </Text>
    {changes.length > 0 ? (
      <Changes changes={changes} />
    ) : (
      <Text textStyle="sm" color="fg.muted" mt="2">
        {isOfTwo ? texts.noChangesBetween : texts.noDifferences}
      </Text>
    )}
  </Card>
);

/** The moments to show, from the address. */
export type MomentsProps = { source: AsOfSource; at: string; other: string | null };

type MomentsOf<R extends Reply> = {
  kind: AsOfSource['kind'];
  query: UseQueryResult<R>;
  /** Of the other moment; null without one. */
  beside: UseQueryResult<R> | null;
  children: (reply: R, other: R | undefined) => ReactNode;
};

/** A moment, its differences from now or from another moment, and the other moment beside it. */
export const Moments = <R extends Reply>({ kind, query, beside, children }: MomentsOf<R>) => {
  if (isMissing(query.error) || isMissing(beside?.error)) {
    return (
      <Card px={INSETS} py="5" mt="4">
        <Text textStyle="sm" color="fg.muted">
          {texts.asOfMissing[kind]}
        </Text>
      </Card>
    );
  }
  const second = beside?.data;
  return (
    <Box opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isPlaceholderData} mt="4">
      <QueryView query={query} loading={texts.asOfLoading[kind]} fallback={texts.asOfFailed[kind]} height="240px">
        {(reply) => (
          <Flex direction="column" gap="4">
            <Differences changes={reply.changes} isOfTwo={beside !== null} />
            <SimpleGrid columns={{ base: 1, lg: second ? 2 : 1 }} gap="4" alignItems="start">
              {children(reply, second)}
              {second && children(second, reply)}
            </SimpleGrid>
          </Flex>
        )}
      </QueryView>
    </Box>
  );
};
