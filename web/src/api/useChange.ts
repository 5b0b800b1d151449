import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';

/**
 * A change on the server. What it touched is fetched again at once, also while the live feed is away; the server
 * answers only when its read models show the change. The same change asked for again before the answer came, as by two
 * presses of Enter, is answered with it and not sent twice.
 */
export const useChange = <Variables, Reply>(
  run: (variables: Variables) => Promise<Reply>,
  touched: (variables: Variables) => readonly Topic[],
): UseMutationResult<Reply, Error, Variables> => {
  const queries = useQueryClient();
  const underWay = useRef(new Map<string, Promise<Reply>>());
  return useMutation({
    mutationFn: (variables: Variables) => {
      const change = JSON.stringify(variables) ?? '';
      const answer = underWay.current.get(change) ?? run(variables).finally(() => underWay.current.delete(change));
      underWay.current.set(change, answer);
      return answer;
    },
    onSuccess: (_reply, variables) => {
      for (const topic of touched(variables)) void queries.invalidateQueries({ queryKey: topic });
    },
  });
};
