import { isUuid } from '../../domain/ids.ts';

/** A cursor that this server did not make, or that belongs to another order of the list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** The end of a page: the value of the sort column, and the id, which orders rows with the same value. */
export type PageEnd = { value: string | number; id: string };

/** The cursor after a row, as opaque text. `sort` binds it to its list and order. */
export const cursorOf = (sort: string, { value, id }: PageEnd): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');

const parsed = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};

/** Throws `InvalidCursor`. `fits` says whether the value is one of the column that the list is sorted by. */
export const pageEndOf = (cursor: string, sort: string, fits: (value: string | number) => boolean): PageEnd => {
  const content = parsed(cursor);
  if (!Array.isArray(content) || content.length !== 3) throw new InvalidCursor('Not a cursor of this list');
  const [ofSort, value, id]: unknown[] = content;
  const known = ofSort === sort && isUuid(id);
  if (!known || !(typeof value === 'string' || typeof value === 'number') || !fits(value)) {
    throw new InvalidCursor('Not a cursor of this list in this order');
  }
  return { value, id };
};

/** The end of a page of events, in the order of the store; both are whole numbers as text. */
export type EventPageEnd = Readonly<{ position: string; revision: string }>;

/** The cursor after a row that an event's position and revision order. */
export const eventCursorOf = (sort: string, { position, revision, id }: EventPageEnd & Readonly<{ id: string }>): string =>
  cursorOf(sort, { value: `${position}/${revision}`, id });

/** Throws `InvalidCursor`. */
export const eventPageEndOf = (cursor: string, sort: string): EventPageEnd => {
  const { value } = pageEndOf(cursor, sort, (place) => /^\d{1,18}\/\d{1,18}$/.test(String(place)));
  const [position = '', revision = ''] = String(value).split('/');
  return { position, revision };
};

/** As `toISOString` writes it, of a year that PostgreSQL knows: it has no year 0. */
export const isInstant = (value: string | number): boolean =>
  value === '-infinity' ||
  (typeof value === 'string' && /^(?!0000)\d{4}-/.test(value) && isDate(value) && new Date(value).toISOString() === value);
const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));
/** Whether a value of a cursor can be compared with a text column; PostgreSQL accepts no NUL. */
export const isText = (value: string | number): boolean => typeof value === 'string' && !value.includes('\0');
/** Whether a value of a cursor can be compared with an integer column. */
export const isInteger = (value: string | number): boolean => isCount(value) && Math.abs(Number(value)) < 2 ** 31;
/** Whether a value of a cursor is an exact integer. */
export const isCount = (value: string | number): boolean => Number.isSafeInteger(value);
