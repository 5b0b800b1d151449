import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { HistoryEntry, HistoryReply } from '../../../../../src/contracts/history.ts';
import { type Topic, topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId, IntegratorId, TeamId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { areaRoot } from '../../../areas.ts';
import { historyTexts } from '../texts.ts';

type CustomerSource = { kind: 'customer'; id: CustomerId; path: string };
type IntegratorSource = { kind: 'integrator'; id: IntegratorId; path: string };
/** Whose history it is, and the path below which the server has it, as `/api/admin/customers/…`. */
export type HistorySource = CustomerSource | IntegratorSource | { kind: 'administration'; id: TeamId; path: string };
/** What can be shown as it was at a time. */
export type AsOfSource = CustomerSource | IntegratorSource;
/** Whose history is shown. */
export type HistoryKind = HistorySource['kind'];

/** The query of a history; absent and empty fields do not filter. */
export type HistoryFilter = {
  search?: string;
  type?: string;
  actor?: HistoryEntry['actor']['kind'] | '';
  /** A named user. */
  user?: string;
  /** A user, custom theme or credential that entries are about. */
  about?: string;
  /** Moments, ISO-8601 UTC. */
  from?: string;
  to?: string;
};

/** A changed field of an entry, with its values before and after. */
export type Change = HistoryEntry['changes'][number];

const PAGE_SIZE = 25;

/** The address of an entry on the audit page of the area; null in the portal, which has none. */
export const auditEntryPath = ({ path }: HistorySource, entryId: string): string | null => {
  const area = (['admin', 'integrator'] as const).find((one) => `${path}/`.startsWith(`/api${areaRoot[one]}/`));
  return area === undefined ? null : `${areaRoot[area]}/audit?entry=${entryId}`;
};

/** What the live feed names when the history changes. */
export const topicOf = (source: HistorySource): Topic =>
  source.kind === 'administration' ? topic.team(source.id) : topic.history(source.id);

/** A page of the history, newest first. */
export const historyQuery = (source: HistorySource, filter: HistoryFilter, cursor: string, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: [...topicOf(source), 'history', filter, cursor, limit],
    queryFn: ({ signal }) =>
      api.get<HistoryReply>(`${source.path}/history`, {
        query: { ...filter, cursor, limit },
        signal,
        fallback: historyTexts.loadFailed,
      }),
    placeholderData: keepPreviousData,
  });

/** What a last change is of: all of the source, or what the entries have in common. */
export type ChangedPart = { about?: string; type?: string };

/** The newest entry of a history that is a change by a user, a key or an API token. */
export const lastChangeQuery = (source: HistorySource, part: ChangedPart) =>
  queryOptions({
    queryKey: [...topicOf(source), 'last change', part],
    queryFn: async ({ signal }): Promise<HistoryEntry | null> => {
      const query = { ...part, automatic: 'false', limit: 1 };
      const reply = await api.get<HistoryReply>(`${source.path}/history`, { query, signal, fallback: historyTexts.loadFailed });
      return reply.history[0] ?? null;
    },
  });

/** Downloads all matching entries with their proofs; resolves to the name of the file. */
export const exportVerified = async ({ path }: HistorySource, filter: HistoryFilter): Promise<string> => {
  const { downloadFile } = await import('../../../api/downloadFile.ts');
  const query = { ...filter, proofs: 'true' };
  return downloadFile(`${path}/history`, { query, type: 'application/x-ndjson', fallback: historyTexts.exportFailed });
};
