import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { VoidCalls, VoidsReply, voidPreviewReply, voidReply } from '../../../../../src/contracts/voids.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { voidTexts } from '../voidTexts.ts';

/** The customer whose calls are voided, and where its voids are. */
export type VoidsOf = Readonly<{ customerId: CustomerId; path: string }>;

/** The calls of a preview; what is empty does not limit them. */
export type VoidRange = Readonly<{ sourceId: string; firstSequence: string; lastSequence: string; from: string; until: string }>;

/** Where the voids of a customer are, by the list of its calls; null for a list of several customers. */
export const voidsOf = (callsPath: string, customerId: string): VoidsOf | null => {
  const id = customerId as CustomerId;
  if (callsPath === '/api/customer/calls') return { customerId: id, path: '/api/customer/voids' };
  if (customerId === '' || !callsPath.endsWith('/calls') || callsPath.startsWith('/api/customer/')) return null;
  return { customerId: id, path: `${callsPath.slice(0, -'/calls'.length)}/customers/${customerId}/voids` };
};

/** All voids of a customer, newest first. */
export const voidsQuery = ({ customerId, path }: VoidsOf) =>
  queryOptions({
    queryKey: [...topic.usage(customerId), 'voids', path],
    queryFn: ({ signal }) => api.get<VoidsReply>(path, { signal, fallback: voidTexts.loadFailed }),
  });

/** What a void would take out of the usage. */
export const voidPreviewQuery = ({ customerId, path }: VoidsOf, range: VoidRange) =>
  queryOptions({
    queryKey: [...topic.usage(customerId), 'voids', path, 'preview', range],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof voidPreviewReply>>(`${path}/preview`, { query: range, signal, fallback: voidTexts.previewFailed }),
    placeholderData: keepPreviousData,
  });

/** Voids calls. */
export const useVoidCalls = ({ customerId, path }: VoidsOf) =>
  useChange(
    (body: VoidCalls) => api.post<z.infer<typeof voidReply>>(path, body, { fallback: voidTexts.failed }),
    () => [topic.usage(customerId), topic.history(customerId)],
  );
