import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { openProduct } from '../src/bootstrap/product.ts';
import { streams } from '../src/commands/streams.ts';
import { csvOf } from '../src/contracts/csv.ts';
import type { CustomerId } from '../src/domain/ids.ts';
import { metaOf } from '../tests/support/builders/command.ts';
import { customerRegistered, licenseIssued, seatsAllocated } from '../tests/support/builders/customer.ts';
import { asAdmin, newIntegrator } from './support/apiClients.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { report, reportRatio, timed } from './support/figures.ts';
import { ADMIN_KEY, startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** An import of new customers of one service integrator, of the same file again, and the monthly statement of all of them. The limit appends as many registrations without it. */

const { customers } = settings({ customers: 10_000 });
const CONCURRENT = 32;

const fileFor = (integratorId: string): string =>
  [
    ['external_id', 'name', 'contact_email', 'company', 'service_integrator_id', 'developer_seats', 'stakeholder_seats', 'tags'],
    ...Array.from({ length: customers }, (_, n) => [
      `crm-${n}`,
      `Customer ${n}`,
      `it@customer-${n}.example`,
      `Company ${n}`,
      integratorId,
      10,
      5,
      'eu, new',
    ]),
  ]
    .map(csvOf)
    .join('');

/** Forgets how much memory a process has used at most. */
const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
/** The most resident memory of a process, in MiB. */
const peakOf = async (pid: number): Promise<number> => {
  const [, kiB] = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kiB) / 1_024;
};

const product = await startProduct();
let took: number;
try {
  const admin = await asAdmin(product.url);
  const integratorId = await newIntegrator(admin);
  const signedIn = await fetch(`${product.url}/api/auth/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ adminKey: ADMIN_KEY }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const body = fileFor(integratorId);
  const send = async (query: string, effect: string): Promise<void> => {
    const reply = await fetch(`${product.url}/api/admin/customers/import?file=customers.csv${query}`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', origin: product.url, cookie },
      body,
    });
    const end = (await reply.text()).trim().split('\n').at(-1) ?? '';
    if (!end.includes(`"${effect}":${customers}`)) throw new Error(`The import ended with ${end}`);
  };
  report('dry run', await timed(() => send('&dryRun=true', 'created')), 's');
  took = await timed(() => send('', 'created'));
  report(`import of ${customers} customers`, took, 's');
  report('the same file again', await timed(() => send('', 'unchanged')), 's');
  const month = new Date().toISOString().slice(0, 7);
  for (const accept of ['text/csv', 'text/html', 'application/json']) {
    await resetPeak(product.pid);
    const before = await peakOf(product.pid);
    const stated = async (): Promise<void> => {
      const path = `/api/admin/service-integrators/${integratorId}/statement?month=${month}`;
      const reply = await fetch(product.url + path, { headers: { accept, cookie } });
      const size = (await reply.arrayBuffer()).byteLength;
      report(`monthly statement (${accept}), status ${reply.status}`, size / 1_000_000, 'MB');
    };
    report('  time', await timed(stated), 's');
    report('  memory at most, more than before', (await peakOf(product.pid)) - before, 'MiB');
  }
} finally {
  await product.stop();
}

const store = await startEmbeddedStore();
const opened = await openProduct({
  databaseUrl: store.databaseUrl,
  eventStoreUrl: store.url,
  masterSecret: randomBytes(32),
  log: pino({ level: 'warn' }),
});
const meta = metaOf({ at: new Date().toISOString() });
let next = 0;
const append = async (): Promise<void> => {
  for (; next < customers; next += 1) {
    const customerId = randomUUID() as CustomerId;
    const history = [customerRegistered({ customerId }), licenseIssued(), seatsAllocated()];
    await opened.events.append(streams.customer(customerId), history, { expected: 'no_stream', meta });
  }
};
const limit = await timed(() => Promise.all(Array.from({ length: CONCURRENT }, append)));
reportRatio('the import', took, 'as many registrations appended', limit, 's');
await opened.close();
await store.stop();
