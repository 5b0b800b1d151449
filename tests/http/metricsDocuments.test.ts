import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lagMsOf } from '../../src/http/health.ts';
import { asAdmin, clientOf } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

const pathOf = (name: string): string => fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url));

it.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])('%s names only metrics that the server has', async (name) => {
  const token = ((await asAdmin(server.url)).headers.cookie ?? '').split('=')[1] ?? '';
  const rendered = await clientOf(server.url).get('/metrics', { headers: { authorization: `Bearer ${token}` } });
  const known = new Set(
    [...String(rendered.body).matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, metric = '', kind]) =>
      kind === 'histogram' ? [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`] : [metric],
    ),
  );
  const named = [...(await readFile(pathOf(name), 'utf8')).matchAll(/\blatchkey_\w+/g)].map(([metric]) => metric);
  expect(named).toContain('latchkey_projection_lag_seconds');
  expect(named.filter((metric) => !known.has(metric))).toEqual([]);
});

it('reports the lag of the slowest read models', async () => {
  const groups = [250, 31_000].map((lagMs) => ({ group: 'main' as const, position: null, lagMs, node: null, heartbeatAt: null }));
  const lag = lagMsOf({ monitoring: { ...server.product.queries.monitoring, projections: async () => groups } }, Date.now);
  expect(await lag).toBe(31_000);
});
