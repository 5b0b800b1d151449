import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IntegratorId } from '../../../src/domain/ids.ts';
import { txtResolver } from '../../../src/outbound/domainVerification.ts';
import type { Note } from '../../../src/policies/engine/notes.ts';
import { watchDomains } from '../../../src/policies/watchDomains.ts';
import { asAdmin, asIntegrator, type Client, newIntegrator, type Reply } from '../../support/apiClient.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../support/dnsServer.ts';
import { eventually } from '../../support/eventually.ts';
import { openServer, type TestServer } from '../../support/server.ts';
import { itAtLength } from '../../support/tiers.ts';

/** What the name server knows; tests write into it. */
const zone: Record<string, { TXT: DnsAnswer[] }> = {};
let dns: DnsServer;
let server: TestServer;
let admin: Client;

beforeAll(async () => {
  dns = await startDnsServer(zone);
  server = await openServer({}, { resolveTxt: txtResolver([dns.address]) });
  admin = await asAdmin(server.url);
});

afterAll(async () => {
  await server.close();
  await dns.close();
});

const recordOf = (id: string): DnsAnswer => [`latchkey-verify=${id}`];

const brandAs = (client: Client, customDomain: string | null): Promise<Reply> =>
  client.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain, logoUrl: null });

const newPartner = async (companyName: string): Promise<{ id: IntegratorId; client: Client }> => {
  const integrator = await newIntegrator(admin, { companyName });
  return { id: integrator.id, client: await asIntegrator(server.url, integrator) };
};

const verify = (client: Client): Promise<Reply> => client.post('/api/service-integrator/white-label/verify');
const profileOf = async (client: Client) => (await client.get('/api/service-integrator/profile')).body.serviceIntegrator;

/** As a browser sees it that knows this server by another name: whose brand, or the status where there is none. */
const companyAt = (host: string): Promise<string | null | number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, path: '/api/branding', headers: { host } }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve(response.statusCode === 200 ? JSON.parse(body).branding.companyName : (response.statusCode ?? 0)),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

describe('a custom domain', () => {
  itAtLength('shows the brand of its integrator once the record exists, without a request', async () => {
    const { id, client } = await newPartner('Prompt');
    zone['_latchkey.cli.prompt.example'] = { TXT: [recordOf(id)] };
    expect((await brandAs(client, 'CLI.Prompt.example')).body.serviceIntegrator.domainVerified).toBe(false);
    // If the read models were later than the first look-up, the next one is a minute later.
    await eventually(
      () => profileOf(client),
      ({ domainVerified }) => domainVerified,
      90_000,
    );
    expect(await companyAt('cli.prompt.example')).toBe('Prompt');
    expect(await companyAt('cli.prompt.example:8443')).toBe('Prompt');
    expect(await companyAt('localhost')).toBeNull();
  });

  it('is verified on request, with the result in the reply', async () => {
    const { id, client } = await newPartner('Asking');
    expect((await verify(client)).body).toEqual({ success: false, error: 'There is no custom domain to verify. Save one first.' });
    const domain = 'cli.asking.example';
    await brandAs(client, domain);
    const missing = await verify(client);
    expect(missing).toMatchObject({
      status: 200,
      body: { success: false, error: expect.stringContaining(`${domain} does not exist`) },
    });
    zone[domain] = { TXT: [['v=spf1 -all']] };
    expect((await verify(client)).body.error).toContain('no latchkey-verify= TXT record');
    zone[domain] = { TXT: [recordOf('another-token')] };
    expect((await verify(client)).body.error).toContain('another value');
    expect(await companyAt(domain)).toBe(421);
    zone[domain] = { TXT: [recordOf(id)] };
    const found = await verify(client);
    expect(found).toMatchObject({
      status: 200,
      body: { success: true, serviceIntegrator: { id, customDomain: domain, domainVerified: true } },
    });
    expect(found.headers.get('etag')).toMatch(/^"\d+"$/);
    zone[domain] = { TXT: ['servfail'] };
    expect((await verify(client)).body).toMatchObject({ success: false, error: expect.stringContaining('Try again later') });
    expect((await profileOf(client)).domainVerified).toBe(true);
    zone[domain] = { TXT: [[]] };
    expect((await verify(client)).body.success).toBe(false);
    expect((await profileOf(client)).domainVerified).toBe(false);
  });

  it('shows no brand if white-label is disabled or the integrator released it', async () => {
    const { id, client } = await newPartner('Leaving');
    const domain = 'cli.leaving.example';
    zone[domain] = { TXT: [recordOf(id)] };
    await brandAs(client, domain);
    await verify(client);
    expect(await companyAt(domain)).toBe('Leaving');
    await client.put('/api/service-integrator/white-label', { whiteLabelEnabled: false, customDomain: domain, logoUrl: null });
    expect(await companyAt(domain)).toBeNull();
    await brandAs(client, 'elsewhere.leaving.example');
    expect((await profileOf(client)).domainVerified).toBe(false);
    const { queries } = server.product;
    expect(await queries.integrators.byDomain(domain)).toBeNull();
    zone[domain] = { TXT: [[]] };
    await brandAs(client, domain);
    expect((await profileOf(client)).domainVerified).toBe(false);
  });
});

describe('the policy that verifies custom domains', () => {
  const NOW = Date.parse('2026-03-01T12:00:00.000Z');

  /** The policy with `count` domains that never change, and the hosts that it looked up. */
  const watching = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`);
    const domains = ids.map((id) => ({ integratorId: id as IntegratorId, host: `${id}.example`, expiresAt: null, isTaken: false }));
    const looked: string[] = [];
    const notes = new Map<string, Note>();
    const policy = watchDomains({
      integrators: { domains: async () => domains, startClaim: async () => undefined, markReleased: async () => undefined },
      commands: server.product.commands,
      verifyDomain: async (_id, host) => {
        await sleep(1);
        looked.push(host);
        return { verified: false, detail: '' };
      },
    });
    const context = {
      now: () => NOW,
      metaFor: () => {
        throw new Error('The policy sends no command');
      },
      notes: {
        put: async (key: string, value: string, dueAt: Date | null = null) => void notes.set(key, { key, value, dueAt }),
        remove: async (key: string) => void notes.delete(key),
        get: async (key: string) => notes.get(key),
        keysOf: async () => [],
      },
    };
    const due = async (note: Note): Promise<Note> => {
      await policy.onDue?.(note, context);
      const next = notes.get(note.key);
      if (!next) throw new Error('The policy scheduled no further lookup');
      return next;
    };
    return { hosts: domains.map(({ host }) => host), looked, due };
  };

  it('looks up every domain page by page, and starts again after a minute', async () => {
    const { hosts, looked, due } = watching(40);
    let note: Note = { key: 'unproven', value: '', dueAt: null };
    for (let page = 1; page <= 3; page++) {
      note = await due(note);
      expect(looked).toHaveLength(Math.min(page * 16, 40));
      expect(note.dueAt?.getTime()).toBe(page < 3 ? NOW : NOW + 60_000);
    }
    expect(looked.toSorted()).toEqual(hosts);
    expect(note.value).toBe('');
  });

  it('looks up verified domains each hour', async () => {
    const { due } = watching(3);
    expect((await due({ key: 'proven', value: '', dueAt: null })).dueAt?.getTime()).toBe(NOW + 3_600_000);
  });
});
