import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../../../session/permissions.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type ChangedPart, type HistorySource, lastChangeQuery } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

export type LastChangeProps = ChangedPart & { source: HistorySource };

/** Who last changed an object, and when: empty until that is known, and for sessions that may not read the history. */
export const LastChangeText = ({ source, ...part }: LastChangeProps) => {
  const mayRead = usePermission('history:read');
  const { data } = useQuery({ ...lastChangeQuery(source, part), enabled: mayRead });
  if (!mayRead) return null;
  return (
    <Text as="div" textStyle="xs" color="fg.subtle" minH="4.5" overflowWrap="anywhere" data-last-change>
      {data && (
        <>
          {texts.lastChanged} {data.actor.name}, <Time at={data.at} as="ago" />
        </>
      )}
    </Text>
  );
};
