import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SignInEntry, SignInsReply } from '../../../../../src/contracts/signIns.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { EXPORT_TYPES, type ExportFormat } from '../../../ui/ExportButtons.tsx';
import { signInTexts } from '../texts.ts';

/** The query of the list of sign-ins; absent fields do not filter. */
export type SignInFilter = {
  search?: string;
  audience?: SignInEntry['audience'] | undefined;
  outcome?: SignInEntry['outcome'] | undefined;
  limit?: number;
  cursor?: string;
};

/** The part of the API with the sign-ins that an area sees. */
export type SignInsPath = '/api/admin' | '/api/service-integrator' | '/api/customer';

/** A page of the recorded sign-ins, newest first. */
export const signInsQuery = (path: SignInsPath, filter: SignInFilter) =>
  queryOptions({
    queryKey: [...topic.signIns(), filter],
    queryFn: ({ signal }) => api.get<SignInsReply>(`${path}/sign-ins`, { query: filter, signal, fallback: signInTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** All matching sign-ins, as a file. */
export const exportSignIns = (
  path: SignInsPath,
  { limit: _limit, cursor: _cursor, ...query }: SignInFilter,
  format: ExportFormat,
) => api.getFile(`${path}/sign-ins`, { query, accept: EXPORT_TYPES[format], fallback: signInTexts.exportFailed });
