import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ArrivedPartsReply } from '../../../../../src/contracts/usage.ts';
import { api } from '../../../api/client.ts';
import { usageTexts } from '../texts.ts';
import { queryOf, type UsageChoice } from './choice.ts';
import { customersUsagePath } from './usage.ts';

const REFRESH_MS = 30_000;

/** The calls of all customers by service and operation. They are read apart, since they take longer than the usage. */
export const customersPartsQuery = ({ filter: _, isCompared: _compared, ...choice }: UsageChoice) => {
  const query = queryOf({ ...choice, isCompared: false, filter: {} });
  return queryOptions({
    queryKey: ['parts of usage', query],
    queryFn: ({ signal }) =>
      api.get<ArrivedPartsReply>(`${customersUsagePath}/parts`, { query, signal, fallback: usageTexts.loadFailed }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
};
