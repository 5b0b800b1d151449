import { expect, it } from 'vitest';
import { readAllPages } from '../../web/src/ui/readAllPages.ts';

type Reply = { entries: number[]; days?: string[]; total: number; nextCursor: string | null };

/** A list of numbers, of which a page has at most `most`; the requested pages are noted. */
const listOf = (total: number, most = 500) => {
  const requested: { limit: number; cursor: string }[] = [];
  const read = async (at: { limit: number; cursor: string }): Promise<Reply> => {
    requested.push(at);
    const begin = Number(at.cursor);
    const end = Math.min(begin + Math.min(at.limit, most), total);
    const entries = Array.from({ length: end - begin }, (_, nr) => begin + nr);
    return { entries, days: [`day of ${begin}`], total, nextCursor: end < total ? String(end) : null };
  };
  return { read, requested };
};

it('joins the rows of all pages', async () => {
  const { read, requested } = listOf(1_200);
  const { entries, days, total, nextCursor } = await readAllPages(read, ['entries', 'days']);
  expect(entries).toEqual(Array.from({ length: 1_200 }, (_, nr) => nr));
  expect(days).toEqual(['day of 0', 'day of 500', 'day of 1000']);
  expect([total, nextCursor]).toEqual([1_200, null]);
  expect(requested.map(({ cursor }) => cursor)).toEqual(['', '500', '1000']);
});

it('reads at most 5,000 rows, and says that there are more', async () => {
  const { read, requested } = listOf(5_001);
  const { entries, nextCursor } = await readAllPages(read, ['entries']);
  expect([entries.length, nextCursor, requested.length]).toEqual([5_000, '5000', 10]);
});

it('stops a search that finds little after 100 requests', async () => {
  const { read, requested } = listOf(1_000, 1);
  const { entries, nextCursor } = await readAllPages(read, ['entries']);
  expect([entries.length, nextCursor, requested.length]).toEqual([100, '100', 100]);
});

it('leaves out what no page has', async () => {
  const read = async (): Promise<Reply> => ({ entries: [1], total: 1, nextCursor: null });
  expect(await readAllPages(read, ['entries', 'days'])).toEqual({ entries: [1], days: [], total: 1, nextCursor: null });
});
