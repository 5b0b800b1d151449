import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';

/**
 * A change on the server. The topics that it touches are refetched immediately, even while the live feed is disconnected;
 * the server replies only when its read models show the change. If the same change is requested again before the reply, such
 * as by pressing Enter twice, it is not sent twice: both requests get the same reply.
 */
export const useChange = <Variables, Reply>(
  run: (variables: Variables) => Promise<Reply>,
  touched: (variables: Variables) => readonly Topic[],
): UseMutationResult<Reply, Error, Variables> => {
  const queries = useQueryClient();
  const pending = useRef(new Map<string, Promise<Reply>>());
  return useMutation({
    mutationFn: (variables: Variables) => {
      const change = JSON.stringify(variables) ?? '';
      const answer = pending.current.get(change) ?? run(variables).finally(() => pending.current.delete(change));
      pending.current.set(change, answer);
      return answer;
    },
    onSuccess: (_reply, variables) => {
      for (const topic of touched(variables)) void queries.invalidateQueries({ queryKey: topic });
    },
  });
};
