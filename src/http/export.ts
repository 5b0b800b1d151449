import { Readable } from 'node:stream';
import type { HistoryEntry } from '../contracts/history.ts';

/** A cell that a spreadsheet cannot take for a formula. */
const cell = (value: string): string => {
  const defused = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

const HEADER = 'at,type,actor_kind,actor_id,actor_name,summary,changes,position,id\r\n';

const csvLine = ({ at, type, actor, summary, changes, position, id }: HistoryEntry): string =>
  `${[at, type, actor.kind, actor.id, actor.name, summary, changes.length > 0 ? JSON.stringify(changes) : '', position, id].map(cell).join(',')}\r\n`;

async function* lines(entries: AsyncIterable<HistoryEntry>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield HEADER;
  let chunk = '';
  for await (const entry of entries) {
    chunk += format === 'csv' ? csvLine(entry) : `${JSON.stringify(entry)}\n`;
    if (chunk.length > 16_384) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

export type ExportFormat = 'csv' | 'ndjson';

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The export that an Accept header asks for; null for the plain page. */
export const exportFormatOf = (accept: string | undefined): ExportFormat | null => {
  if (accept?.includes('text/csv')) return 'csv';
  return accept?.includes('application/x-ndjson') ? 'ndjson' : null;
};

/** Streams entries as they are read, so that an export is as long as it is and never in memory. */
export const exported = (entries: AsyncIterable<HistoryEntry>, format: ExportFormat): Readable =>
  Readable.from(lines(entries, format));
