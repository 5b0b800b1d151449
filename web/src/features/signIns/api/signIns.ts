import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SignInEntry, SignInsReply } from '../../../../../src/contracts/signIns.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { signInTexts } from '../texts.ts';

/** The query of the list of sign-ins; absent fields do not filter. */
export type SignInFilter = {
  search?: string;
  audience?: SignInEntry['audience'] | undefined;
  outcome?: SignInEntry['outcome'] | undefined;
  limit?: number;
  cursor?: string;
};

/** A page of the recorded sign-ins, newest first. */
export const signInsQuery = (filter: SignInFilter) =>
  queryOptions({
    queryKey: [...topic.signIns(), filter],
    queryFn: ({ signal }) =>
      api.get<SignInsReply>('/api/admin/sign-ins', { query: filter, signal, fallback: signInTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });
