import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Annotation, AnnotationsReply } from '../../../../../src/contracts/annotations.ts';
import { MINUTE_MS } from '../../../../../src/domain/time.ts';
import { api } from '../../../api/client.ts';
import { usePermission } from '../../../session/permissions.tsx';
import type { ChartMark } from '../../../ui/charts/TimeChart.tsx';
import { monitoringTexts } from '../texts.ts';
import type { Drawing } from './charts.ts';
import type { ViewFilter } from './period.ts';

const { annotations: texts } = monitoringTexts;

/** The live charts end a little later with each point; the annotations are read for whole minutes. */
const EVERY_MS = 10_000;

type Period = Pick<Drawing, 'from' | 'to'>;

/** The path of the list of annotations. */
export const ANNOTATIONS = '/monitoring/annotations';

/** The query of the annotations of charts. */
export type AnnotationsAsked = Readonly<{
  from: string;
  to: string;
  customer: string | undefined;
  integrator: string | undefined;
}>;

/** What happened in a period. Its key is below no topic on purpose: it is fetched regularly, as the charts are. */
const annotationsQuery = (query: AnnotationsAsked) =>
  queryOptions({
    queryKey: ['annotations', query],
    queryFn: ({ signal }) => api.get<AnnotationsReply>(ANNOTATIONS, { query, signal, fallback: texts.failed }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });

/** The query of the annotations of a period, in whole minutes. */
export const annotationsAsked = ({ from, to }: Period, { customer, integrator }: ViewFilter): AnnotationsAsked => ({
  from: new Date(Math.floor(from / MINUTE_MS) * MINUTE_MS).toISOString(),
  to: new Date(Math.ceil(to / MINUTE_MS) * MINUTE_MS).toISOString(),
  customer,
  integrator,
});

/** The annotations of the charts, oldest first; undefined until they are known, and for users who may not read the history. */
export const useAnnotations = (period: Period, filter: ViewFilter, isPaused: boolean): readonly Annotation[] | undefined => {
  const mayRead = usePermission('history:read');
  const isEnabled = mayRead && period.to > period.from && !isPaused;
  return useQuery({ ...annotationsQuery(annotationsAsked(period, filter)), enabled: isEnabled }).data?.annotations;
};

/** What an annotation says: the sentence, and whom it is about. */
export const textOf = ({ type, summary, about, replaced }: Annotation): string => {
  if (type === 'ServerStarted' && replaced !== null) return texts.upgraded(summary, replaced);
  return about === null ? summary : texts.about(summary, about.name ?? texts.deleted);
};

/** The marks of the charts: annotations of one step of a chart have one mark. */
export const marksOf = (annotations: readonly Annotation[], { from, to, stepMs }: Drawing): ChartMark[] => {
  const marks = new Map<number, string[]>();
  for (const annotation of annotations) {
    const at = Date.parse(annotation.at);
    if (at < from || at > to) continue;
    const step = Math.floor(at / stepMs) * stepMs;
    marks.set(step, [...(marks.get(step) ?? []), textOf(annotation)]);
  }
  return [...marks].map(([at, labels]) => ({ at, labels }));
};
