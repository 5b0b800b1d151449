import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { MAX_LIST_LIMIT } from '../../src/domain/limits.ts';
import { csvWith } from '../../src/http/export.ts';
import { exportList } from '../../src/http/listExport.ts';

type Row = { id: number; key: string };

describe('an exported list', () => {
  it('is read page by page until the last one, without its secret fields', async () => {
    const asked: unknown[] = [];
    const read = async (page: { limit: number; cursor: string | undefined }) => {
      asked.push(page);
      const from = Number(page.cursor ?? 0);
      const rows = Array.from({ length: 1_000 }, (_, index): Row => ({ id: from + index, key: 'secret' }));
      return { rows, nextCursor: from < 2_000 ? String(from + 1_000) : null };
    };
    const list = { name: 'rows', secret: ['key' as const], csv: csvWith<Row>({ id: ({ id }) => id }) };
    const warnings: string[] = [];
    const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => void warnings.push(line) } } });
    app.get('/', async (request, reply) => {
      request.receivedAt = Date.parse('2026-01-31T12:00:00Z');
      return (await exportList(request, reply, list, read, async () => 'Ünited, Inc.')) ? reply : 'a page';
    });
    const get = async (accept: string) => app.inject({ url: '/', headers: { accept } });
    const csv = await get('text/csv');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="rows-united-inc-2026-01-31.csv"');
    expect(csv.body.trimEnd().split('\r\n')).toEqual(['id', ...Array.from({ length: 3_000 }, (_, id) => String(id))]);
    expect(asked).toEqual([undefined, '1000', '2000'].map((cursor) => ({ limit: MAX_LIST_LIMIT, cursor })));
    const ndjson = await get('application/x-ndjson');
    expect(ndjson.body.split('\n')[1]).toBe('{"id":1}');
    expect((await get('application/json')).body).toBe('a page');
    expect(warnings).toEqual([]);
    await app.close();
  });
});
