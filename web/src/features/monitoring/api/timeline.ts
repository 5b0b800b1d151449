import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { MetricsPoint, TimelineReply } from '../../../../../src/contracts/monitoring.ts';
import { api } from '../../../api/client.ts';
import { useMetricsFeed } from '../../../live/useLive.ts';
import { monitoringTexts } from '../texts.ts';

export type TimelineWindow = '15m' | '24h';

/** The points of 15 minutes at one a second. */
const LIVE_POINTS = 900;
/** Mends what the feed told too early or not at all; also as fine as the long window is. */
const REFETCH_MS = 60_000;

/** The newest point is of a second or minute that is not over yet: drawn, it would look like a fall. */
const complete = (timeline: TimelineReply): TimelineReply => ({ ...timeline, points: timeline.points.slice(0, -1) });

/**
 * The history of the live charts. Its key is below no topic on purpose: the feed itself brings what is new, and
 * fetching 15 minutes again for each second would be of no use.
 */
export const timelineQuery = (window: TimelineWindow) =>
  queryOptions({
    queryKey: ['timeline', window],
    queryFn: async ({ signal }) =>
      complete(
        await api.get<TimelineReply>('/monitoring/timeline', {
          query: { window },
          signal,
          fallback: monitoringTexts.timelineFailed,
        }),
      ),
    structuralSharing: false,
    refetchInterval: REFETCH_MS,
  });

const appended = (timeline: TimelineReply, point: MetricsPoint): TimelineReply => {
  const newest = timeline.points.at(-1);
  if (newest && newest.at >= point.at) return timeline;
  return { ...timeline, points: [...timeline.points.slice(1 - LIVE_POINTS), point] };
};

/** The timeline, kept up to date by the live feed. */
export const useTimeline = (window: TimelineWindow) => {
  const queries = useQueryClient();
  const append = useCallback(
    (point: MetricsPoint) =>
      void queries.setQueryData(timelineQuery('15m').queryKey, (timeline) => timeline && appended(timeline, point)),
    [queries],
  );
  useMetricsFeed('admin', append);
  return useQuery(timelineQuery(window));
};
