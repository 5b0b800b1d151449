import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntryReply, AuditReply } from '../../../../../src/contracts/audit.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import type { Area } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { auditTexts as texts } from '../texts.ts';

/** The areas with an audit page. */
export type AuditArea = Exclude<Area, 'portal'>;

/** The query of an audit page; absent and empty fields do not filter. */
export type AuditFilter = {
  search: string;
  /** Types of events, separated by commas. */
  types: string;
  actor: string;
  user: string;
  customer: string;
  /** Moments, ISO-8601 UTC. */
  from: string;
  to: string;
};

const PAGE_SIZE = 50;

/** Where the entries of an area are. */
export const pathIn = { admin: '/api/admin/audit', integrator: '/api/service-integrator/audit' } as const;

/** A page, newest first, with the sign-ins of each day of the browser's time zone. */
export const auditQuery = (area: AuditArea, filter: AuditFilter, cursor: string, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: [...topic.audit(), area, filter, cursor, limit],
    queryFn: ({ signal }) =>
      api.get<AuditReply>(pathIn[area], {
        query: { ...filter, cursor, limit, zone: format.zone },
        signal,
        fallback: texts.loadFailed,
      }),
    placeholderData: keepPreviousData,
  });

/** An entry with those of the same request. */
export const auditEntryQuery = (area: AuditArea, id: string) =>
  queryOptions({
    queryKey: [...topic.audit(), area, 'entry', id],
    queryFn: ({ signal }) => api.get<AuditEntryReply>(`${pathIn[area]}/${id}`, { signal, fallback: texts.loadEntryFailed }),
  });

/** Downloads all matching entries with their proofs; resolves to the name of the file. */
export const exportVerifiedAudit = async (area: AuditArea, filter: AuditFilter): Promise<string> => {
  const { downloadFile } = await import('../../../api/downloadFile.ts');
  const query = { ...filter, proofs: 'true' };
  return downloadFile(pathIn[area], { query, type: 'application/x-ndjson', fallback: texts.exportFailed });
};
