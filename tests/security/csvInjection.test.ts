import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import { exported } from '../../src/http/export.ts';

const entryOf = (summary: string): HistoryEntry => ({
  id: '99999999-9999-4999-8999-999999999999',
  at: '2026-01-31T12:00:00.000Z',
  type: 'CustomerRegistered',
  actor: {
    kind: 'admin',
    id: 'admin',
    name: 'Administrator',
    userId: null,
    sessionId: null,
    method: 'key',
    address: '203.0.113.7',
  },
  summary,
  changes: [],
  position: '1',
});

async function* entriesOf(...summaries: string[]): AsyncGenerator<HistoryEntry> {
  for (const summary of summaries) yield entryOf(summary);
}

/** The cells that a spreadsheet makes of a line: it decides on the separator, and quotes count at the start of a cell only. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  let rest = line;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const end = rest.indexOf(separator, quoted?.[0].length ?? 0);
    const raw = end < 0 ? rest : rest.slice(0, end);
    cells.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') + raw.slice(quoted[0].length) : raw);
    if (end < 0) break;
    rest = rest.slice(end + 1);
  }
  return cells;
};

const isFormula = (cell: string): boolean => /^[=+\-@]/.test(cell.normalize('NFKC').replace(/^["\s\p{Cf}]+/u, ''));

const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ' =1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  'Acme;=1+1',
  'Acme; =1+1',
  'Acme;"=1+1"',
  'Acme\t=1+1',
  'Acme|=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '﹦1+1',
  'Acme;＝cmd|calc',
  ';=1;=2;;=3',
  '"=1+1',
  '";=1+1;"',
];

describe('a name that a spreadsheet would evaluate as a formula', () => {
  it.each(hostile)('is text in every cell of the export, whatever the separator: %j', async (summary) => {
    const csv = await text(await exported(entriesOf(summary), 'csv'));
    const [, line = ''] = csv.split('\r\n');
    for (const separator of [',', ';', '\t', '|']) {
      expect([separator, cellsOf(line, separator).filter(isFormula)]).toEqual([separator, []]);
    }
  });

  it('keeps the columns and other text unchanged', async () => {
    for (const summary of [...hostile, 'Acme, Inc. "the best"', 'a-b=c@d+e', 'Straße 1 - 2']) {
      const csv = await text(await exported(entriesOf(summary), 'csv'));
      const [, line = ''] = csv.split('\r\n');
      const cells = cellsOf(line, ',');
      expect(cells).toHaveLength(11);
      expect(cells[5]?.replaceAll("'", '')).toBe(summary);
    }
    const plain = await text(await exported(entriesOf('a-b=c@d+e'), 'csv'));
    expect(plain).toContain(',a-b=c@d+e,');
  });
});

describe('an export that fails after its first bytes', () => {
  it('closes the connection instead of completing the reply', async () => {
    async function* failing(): AsyncGenerator<HistoryEntry> {
      yield* entriesOf(...Array.from({ length: 500 }, () => 'Something happened to a customer'));
      throw new Error('The database is away');
    }
    const app = Fastify();
    app.get('/', async (_request, reply) => reply.type('text/csv').send(await exported(failing(), 'csv')));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await app.close();
  });
});
