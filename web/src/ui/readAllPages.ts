import { MAX_LIST_LIMIT } from '../../../src/domain/limits.ts';

/** More rows would block the browser for many seconds. */
const MAX_ROWS = 5_000;
/** A search that finds little may need a request for every 6,000 entries that it looks through. */
const MAX_REQUESTS = 100;

type Page = { nextCursor: string | null };
type PageAt = { limit: number; cursor: string };

/**
 * Reads the pages of a list one after the other, up to 5,000 rows. The result is one page with the rows of all; its `nextCursor` is
 * null if there are no more.
 *
 * @param rows the names of the fields with the rows; the first one is counted
 */
export const readAllPages = async <Reply extends Page>(
  read: (at: PageAt) => Promise<Reply>,
  rows: readonly (keyof Reply & string)[],
): Promise<Reply> => {
  const pages: Reply[] = [];
  const rowsOf = (field: keyof Reply): unknown[] => pages.flatMap((page) => page[field] ?? []);
  const [counted] = rows;
  let last = await read({ limit: MAX_LIST_LIMIT, cursor: '' });
  pages.push(last);
  while (last.nextCursor !== null && pages.length < MAX_REQUESTS && (!counted || rowsOf(counted).length < MAX_ROWS)) {
    last = await read({ limit: MAX_LIST_LIMIT, cursor: last.nextCursor });
    pages.push(last);
  }
  return { ...last, ...Object.fromEntries(rows.map((field) => [field, rowsOf(field)])) };
};

/** A list that shows a page of its rows, and prints all of them. */
export type Printable = Readonly<{
  /** Shows all rows. Null if all are shown. Rejects if that fails. */
  expand: ((read: typeof readAllPages) => Promise<void>) | null;
  /** Shows the page again. */
  collapse: () => void;
}>;
