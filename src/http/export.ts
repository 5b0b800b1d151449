import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AuditEntry } from '../contracts/audit.ts';
import type { RecordedCallEntry } from '../contracts/calls.ts';
import { cellTextOf, csvOf } from '../contracts/csv.ts';
import type { HistoryEntry } from '../contracts/history.ts';
import type { SignInEntry } from '../contracts/signIns.ts';

const HEADER = 'at,type,actor_kind,actor_id,actor_name,summary,changes,position,id,actor_method,actor_address,actor_session\r\n';

const cellsOf = ({ at, type, actor, summary, changes, position, id }: HistoryEntry): string[] => [
  at,
  type,
  actor.kind,
  actor.id,
  actor.name,
  summary,
  changes.length > 0 ? JSON.stringify(changes) : '',
  position,
  id,
  actor.method ?? '',
  actor.address ?? '',
  actor.sessionId ?? '',
];

const csvLine = (entry: HistoryEntry): string => csvOf(cellsOf(entry));

const AUDIT_HEADER = `customer_id,customer,service_integrator_id,service_integrator,correlation_id,reverts,${HEADER}`;

const auditLine = ({ customer, integrator, correlationId, reverts, ...entry }: AuditEntry): string => {
  const whose = [customer?.customerId, customer?.name, integrator?.integratorId, integrator?.name, correlationId, reverts];
  return csvOf([...whose.map((text) => text ?? ''), ...cellsOf(entry)]);
};

const SIGN_IN_HEADER =
  'at,first_at,audience,outcome,reason,address,account_kind,account,user,key_fingerprint,keys,count,id,method\r\n';

const signInLine = ({ account, keys, count, ...entry }: SignInEntry): string =>
  csvOf([
    entry.at,
    entry.firstAt,
    entry.audience,
    entry.outcome,
    entry.reason ?? '',
    entry.address ?? '',
    account?.kind ?? '',
    account?.name ?? '',
    account?.username ?? '',
    entry.fingerprint ?? '',
    String(keys),
    String(count),
    entry.id,
    entry.method ?? '',
  ]);

const CALL_HEADER =
  'at,received_at,customer_id,customer,user_id,user,service,instance_url,operation,successful,status,duration_ms,source,sequence,event_id,id,void_id,not_included\r\n';

const callLine = ({ customer, user, ...call }: RecordedCallEntry): string =>
  csvOf([
    call.at,
    call.receivedAt,
    customer.customerId,
    customer.name ?? '',
    user.userId,
    user.username ?? '',
    call.service,
    call.instanceUrl,
    call.operation,
    String(call.isSuccessful),
    String(call.status ?? ''),
    String(call.durationMs),
    call.sourceId,
    String(call.sequence),
    call.eventId,
    call.id,
    call.voidId ?? '',
    call.isNotIncluded ? 'true' : '',
  ]);

/** How entries of a kind are written as CSV. */
export type Csv<Entry> = Readonly<{ header: string; line: (entry: Entry) => string }>;

const cellOf = (value: string | number | boolean | null): string | number =>
  typeof value === 'number' ? value : String(value ?? '');

/** The columns of a CSV file by name, each with its value of an entry. */
export type Columns<Entry> = Readonly<Record<string, (entry: Entry) => string | number | boolean | null>>;

/** The text of each cell of an entry by its column, as the file has it. */
export const cellTextsOf = <Entry>(columns: Columns<Entry>, entry: Entry): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, cellTextOf(cellOf(value(entry)))]));

/** The CSV of entries with the given columns, in their order. */
export const csvWith = <Entry>(columns: Columns<Entry>): Csv<Entry> => {
  const values = Object.values(columns);
  return {
    header: csvOf(Object.keys(columns)),
    line: (entry) => csvOf(values.map((value) => cellOf(value(entry)))),
  };
};

/** A part of a file's name: letters, digits and dashes of a text. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();

/** Sends an export as a file, which is named by the given parts. */
export const sendFile = (
  reply: FastifyReply,
  file: Readable,
  format: ExportFormat,
  ...name: readonly (string | undefined)[]
): FastifyReply =>
  reply
    .type(EXPORT_TYPES[format])
    .header(
      'content-disposition',
      `attachment; filename="${name
        .map((part = '') => slugOf(part))
        .filter(Boolean)
        .join('-')}.${format}"`,
    )
    .header('cache-control', 'no-store')
    .send(file);

async function* lines<Entry>(entries: AsyncIterable<Entry>, format: ExportFormat, csv: Csv<Entry>): AsyncGenerator<string> {
  let chunk = format === 'csv' ? csv.header : '';
  for await (const entry of entries) {
    chunk += format === 'csv' ? csv.line(entry) : `${JSON.stringify(entry)}\n`;
    if (chunk.length > 16_384) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

export type ExportFormat = 'csv' | 'ndjson';

const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The export that an Accept header asks for; null for the plain page. */
export const exportFormatOf = (accept: string | undefined): ExportFormat | null => {
  if (accept?.includes('text/csv')) return 'csv';
  return accept?.includes('application/x-ndjson') ? 'ndjson' : null;
};

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  try {
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Streams texts as they are made. Rejects if the first one cannot be made, before a reply has begun. A later failure closes the connection. */
export const startedStream = async (chunks: AsyncGenerator<string>): Promise<Readable> =>
  Readable.from(startingWith(await chunks.next(), chunks));

/**
 * Streams entries as they are read, so that memory does not depend on their number. Rejects if the first one cannot be read, before a
 * reply has begun. A later failure closes the connection, so that no client accepts an incomplete export.
 */
export const streamed = async <Entry>(entries: AsyncIterable<Entry>, format: ExportFormat, csv: Csv<Entry>): Promise<Readable> =>
  startedStream(lines(entries, format, csv));

/** Streams the entries of a history. Rejects if the first one cannot be read. */
export const exported = (entries: AsyncIterable<HistoryEntry>, format: ExportFormat): Promise<Readable> =>
  streamed(entries, format, { header: HEADER, line: csvLine });

/** Streams the entries of an audit page. Rejects if the first one cannot be read. */
export const exportedAudit = (entries: AsyncIterable<AuditEntry>, format: ExportFormat): Promise<Readable> =>
  streamed(entries, format, { header: AUDIT_HEADER, line: auditLine });

/** Streams sign-ins. Rejects if the first one cannot be read. */
export const exportedSignIns = (entries: AsyncIterable<SignInEntry>, format: ExportFormat): Promise<Readable> =>
  streamed(entries, format, { header: SIGN_IN_HEADER, line: signInLine });

/** Streams recorded calls. Rejects if the first one cannot be read. */
export const exportedCalls = (entries: AsyncIterable<RecordedCallEntry>, format: ExportFormat): Promise<Readable> =>
  streamed(entries, format, { header: CALL_HEADER, line: callLine });
