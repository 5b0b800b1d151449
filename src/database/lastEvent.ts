/** The columns of a checkpoint that name the newest event that its reader has handled; all are null before the first one. */
export type LastEventRow = Record<'last_stream' | 'last_revision' | 'last_event' | 'last_position', string | null>;

/** What the columns name: `LastEvent` of the event store's port, which this layer may not import. */
type NamedEvent = Readonly<{ stream: string; revision: bigint; id: string; position: bigint }>;

/** The columns of a `LastEventRow` in a select list: numbers as text, because they may exceed what a number holds. */
export const LAST_EVENT_COLUMNS = 'last_stream, last_revision::text, last_event, last_position::text';

/** The event that the columns name; null before the first one. */
export const lastEventOf = ({
  last_stream: stream,
  last_revision,
  last_event: id,
  last_position,
}: LastEventRow): NamedEvent | null =>
  stream === null || last_revision === null || id === null || last_position === null
    ? null
    : { stream, revision: BigInt(last_revision), id, position: BigInt(last_position) };

/** The columns that name an event; all are null for none. */
export const lastEventRow = (last: NamedEvent | null): LastEventRow => ({
  last_stream: last?.stream ?? null,
  last_revision: last?.revision.toString() ?? null,
  last_event: last?.id ?? null,
  last_position: last?.position.toString() ?? null,
});
