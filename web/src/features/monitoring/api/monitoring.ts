import { queryOptions } from '@tanstack/react-query';
import type { Health, Metrics } from '../../../../../src/contracts/monitoring.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { monitoringTexts } from '../texts.ts';

/** Polling interval: the server runs the checks on request and publishes no change of them. */
const CHECK_EVERY_MS = 10_000;

/** Health, polled while a component shows it, unless `isPaused`. Its key is below no topic, so recorded calls do not refetch it. */
export const healthQuery = (isPaused = false) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.get<Health>('/monitoring/health/detailed', { signal, fallback: monitoringTexts.noHealth }),
    refetchInterval: isPaused ? false : CHECK_EVERY_MS,
  });

/** Totals of calls and customers. */
export const metricsQuery = (isPaused = false) =>
  queryOptions({
    queryKey: [...topic.monitoring(), 'metrics'],
    queryFn: ({ signal }) => api.get<Metrics>('/monitoring/metrics', { signal, fallback: monitoringTexts.noMetrics }),
    refetchInterval: isPaused ? false : CHECK_EVERY_MS,
  });
