import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';
import { refetchTopic } from './refetchTopic.ts';

type Handlers<Reply> = { onSuccess?: (reply: Reply) => void; onError?: (error: Error) => void };

/** A mutation whose `mutate` calls its handlers even if its component was removed before the reply. */
export type Change<Variables, Reply> = Omit<UseMutationResult<Reply, Error, Variables>, 'mutate'> & {
  mutate: (variables: Variables, handlers?: Handlers<Reply>) => void;
};

/**
 * A change on the server. The topics that it touches are refetched immediately, even while the live feed is disconnected;
 * the server replies only when its read models show the change. If the same change is requested again before the reply, such
 * as by pressing Enter twice, it is sent once: both requests get the same reply, and the handlers of the last `mutate` are called.
 */
export const useChange = <Variables, Reply>(
  run: (variables: Variables) => Promise<Reply>,
  touched: (variables: Variables) => readonly Topic[],
): Change<Variables, Reply> => {
  const queries = useQueryClient();
  const pending = useRef(new Map<string, Promise<Reply>>());
  const latest = useRef(0);
  const mutation = useMutation({
    mutationFn: (variables: Variables) => {
      const change = JSON.stringify(variables) ?? '';
      const answer = pending.current.get(change) ?? run(variables).finally(() => pending.current.delete(change));
      pending.current.set(change, answer);
      return answer;
    },
    onSuccess: (_reply, variables) => {
      for (const topic of touched(variables)) void refetchTopic(queries, topic);
    },
  });
  const { mutateAsync } = mutation;
  // The live feed may remove a row with its dialog before the reply arrives; TanStack Query would then skip the handlers.
  const mutate = useCallback(
    (variables: Variables, { onSuccess, onError }: Handlers<Reply> = {}) => {
      latest.current += 1;
      const id = latest.current;
      mutateAsync(variables).then(
        (reply) => {
          if (id === latest.current) onSuccess?.(reply);
        },
        (error: Error) => {
          if (id === latest.current) onError?.(error);
        },
      );
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
};
