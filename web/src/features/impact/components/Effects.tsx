import { chakra, Spinner } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { impactTexts as texts } from '../texts.ts';

type EffectsProps<Impact> = { query: UseQueryResult<Impact>; sentencesOf: (impact: Impact) => readonly string[] };

/** The effects of a change, with current numbers. Nothing if there is no effect to warn about. */
export const Effects = <Impact,>({ query, sentencesOf }: EffectsProps<Impact>) => {
  if (query.data === undefined) {
    return query.isError ? (
      <Banner tone="warning" icon={TriangleAlert}>
        {texts.uncounted}
      </Banner>
    ) : (
      <chakra.div role="status" display="flex" alignItems="center" gap="2" textStyle="sm" color="fg.subtle">
        <Spinner size="inherit" borderWidth="0.125em" color="inherit" aria-hidden />
        {texts.loading}
      </chakra.div>
    );
  }
  const sentences = sentencesOf(query.data);
  if (sentences.length === 0) return null;
  return (
    <Banner tone="warning" icon={TriangleAlert}>
      <chakra.ul aria-label={texts.effects} listStyleType="none" display="flex" flexDirection="column" gap="1">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </chakra.ul>
    </Banner>
  );
};
