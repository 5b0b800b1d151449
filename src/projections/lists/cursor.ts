const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A cursor that this server did not make, or that belongs to another order of the list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** Where a page ended: the value it was sorted by, and the id that tells rows of one value apart. */
export type Place = { value: string | number; id: string };

export const cursorOf = (sort: string, { value, id }: Place): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');

const parsed = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};

/** Throws `InvalidCursor`. `fits` says whether the value is one of the column that the list is sorted by. */
export const placeOf = (cursor: string, sort: string, fits: (value: string | number) => boolean): Place => {
  const content = parsed(cursor);
  if (!Array.isArray(content) || content.length !== 3) throw new InvalidCursor('Not a cursor of this list');
  const [ofSort, value, id]: unknown[] = content;
  const known = ofSort === sort && typeof id === 'string' && UUID.test(id);
  if (!known || !(typeof value === 'string' || typeof value === 'number') || !fits(value)) {
    throw new InvalidCursor('Not a cursor of this list in this order');
  }
  return { value, id };
};

/** Where a page of events ended, in the order of the store; both are whole numbers as text. */
export type EventPlace = Readonly<{ position: string; revision: string }>;

export const eventCursorOf = (sort: string, { position, revision, id }: EventPlace & Readonly<{ id: string }>): string =>
  cursorOf(sort, { value: `${position}/${revision}`, id });

/** Throws `InvalidCursor`. */
export const eventPlaceOf = (cursor: string, sort: string): EventPlace => {
  const { value } = placeOf(cursor, sort, (place) => /^\d{1,18}\/\d{1,18}$/.test(String(place)));
  const [position = '', revision = ''] = String(value).split('/');
  return { position, revision };
};

/** As `toISOString` writes it, of a year that PostgreSQL knows: it has no year 0. */
export const isInstant = (value: string | number): boolean =>
  value === '-infinity' ||
  (typeof value === 'string' && /^(?!0000)\d{4}-/.test(value) && isDate(value) && new Date(value).toISOString() === value);
const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));
export const isText = (value: string | number): boolean => typeof value === 'string' && !value.includes('\0');
export const isCount = (value: string | number): boolean => Number.isSafeInteger(value);
