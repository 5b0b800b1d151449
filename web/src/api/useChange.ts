import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Topic } from '../../../src/contracts/topics.ts';

/**
 * A change on the server. What it touched is fetched again at once, also while the live feed is away; the server
 * answers only when its read models show the change.
 */
export const useChange = <Variables, Reply>(
  run: (variables: Variables) => Promise<Reply>,
  touched: (variables: Variables) => readonly Topic[],
): UseMutationResult<Reply, Error, Variables> => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (_reply, variables) => {
      for (const topic of touched(variables)) void queries.invalidateQueries({ queryKey: topic });
    },
  });
};
