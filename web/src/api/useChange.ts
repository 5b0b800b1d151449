import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';

/**
 * A change on the server. What it touched is fetched again at once, also while the live feed is away; the server
 * answers only when its read models show the change. One at a time: what is asked for again before the answer came, as by
 * two presses of Enter, is answered with it and not sent twice.
 */
export const useChange = <Variables, Reply>(
  run: (variables: Variables) => Promise<Reply>,
  touched: (variables: Variables) => readonly Topic[],
): UseMutationResult<Reply, Error, Variables> => {
  const queries = useQueryClient();
  const underWay = useRef<Promise<Reply>>(undefined);
  return useMutation({
    mutationFn: (variables: Variables) => {
      underWay.current ??= run(variables).finally(() => {
        underWay.current = undefined;
      });
      return underWay.current;
    },
    onSuccess: (_reply, variables) => {
      for (const topic of touched(variables)) void queries.invalidateQueries({ queryKey: topic });
    },
  });
};
