import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProgress } from '../../src/demo/progress.ts';

it('reads the accounts of a version that had other names for them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-progress-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const customer = { customerId: '1', cast: { name: 'Northwind Traders' } };
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ seeded: { customers: [customer] }, hasUsage: true }));
  const { customers } = await openProgress(dataDir).accounts(() => Promise.reject(new Error('Creates accounts again')));
  expect(customers).toEqual([{ customerId: '1', spec: { name: 'Northwind Traders' } }]);
});
