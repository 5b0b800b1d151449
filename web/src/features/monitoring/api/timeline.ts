import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { MetricsPoint, TimelineReply } from '../../../../../src/contracts/monitoring.ts';
import { api } from '../../../api/client.ts';
import { useMetricsFeed } from '../../../live/useLive.ts';
import { monitoringTexts } from '../texts.ts';

/** The range of the live charts: 15 minutes by second, or a day by minute. */
export type TimelineWindow = '15m' | '24h';

/** The points of 15 minutes at one a second. */
const LIVE_POINTS = 900;
/** Refetch interval: adds points that the live feed missed. It equals the resolution of the long window. */
const REFETCH_MS = 60_000;

/** Omits the newest point: its second or minute is incomplete, which would look like a drop. */
const complete = (timeline: TimelineReply): TimelineReply => ({ ...timeline, points: timeline.points.slice(0, -1) });

/**
 * The history of the live charts. Its key is below no topic on purpose: the live feed delivers new points, so that the 15 minutes
 * need no refetch each second.
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

/** Inserts or replaces the point: a second is sent again when more of its calls have been counted. */
const including = (timeline: TimelineReply, point: MetricsPoint): TimelineReply => {
  const { points } = timeline;
  const before = points.findLastIndex(({ at }) => at < point.at);
  if (before < 0 && points.length >= LIVE_POINTS) return timeline;
  const after = points[before + 1]?.at === point.at ? before + 2 : before + 1;
  return { ...timeline, points: [...points.slice(0, before + 1), point, ...points.slice(after)].slice(-LIVE_POINTS) };
};

/** The timeline, kept up to date by the live feed; not fetched while it is not shown. */
export const useTimeline = (window: TimelineWindow, isShown = true) => {
  const queries = useQueryClient();
  const include = useCallback(
    (point: MetricsPoint) =>
      void queries.setQueryData(timelineQuery('15m').queryKey, (timeline) => timeline && including(timeline, point)),
    [queries],
  );
  useMetricsFeed('admin', include);
  return useQuery({ ...timelineQuery(window), enabled: isShown });
};
