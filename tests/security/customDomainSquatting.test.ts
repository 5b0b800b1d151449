import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IntegratorId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { asAdmin, asIntegrator, type Client, newIntegrator, type Reply } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** The TXT records that the name servers hold; a name that is not in it does not exist. */
const zone = new Map<string, string[][]>();
let server: TestServer;
let admin: Client;

beforeAll(async () => {
  const resolveTxt = async (name: string): Promise<string[][]> => {
    const records = zone.get(name);
    if (!records) throw Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
    return records;
  };
  server = await openServer(
    { PORTAL_HOST: 'portal.acme.example', PUBLIC_ORIGINS: 'https://licenses.acme.example' },
    { resolveTxt },
  );
  admin = await asAdmin(server.url);
});

afterAll(() => server.close());

type Partner = { id: IntegratorId; client: Client };

const newPartner = async (companyName: string): Promise<Partner> => {
  const integrator = await newIntegrator(admin, { companyName });
  return { id: integrator.id, client: await asIntegrator(server.url, integrator) };
};

const claim = ({ client }: Partner, customDomain: string | null): Promise<Reply> =>
  client.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain, logoUrl: null });
const verify = ({ client }: Partner): Promise<Reply> => client.post('/api/service-integrator/white-label/verify');
const own = async ({ client }: Partner) => (await client.get('/api/service-integrator/profile')).body.serviceIntegrator;
const recordsOf = (...partners: Partner[]): string[][] => partners.map(({ id }) => [`latchkey-verify=${id}`]);

/** Has the watch look at every unverified domain now. */
const watchNow = () =>
  server.product.db
    .updateTable('policy.note')
    .set({ due_at: new Date(0), value: '' })
    .where('policy', '=', 'watchDomains')
    .where('key', '=', 'unproven')
    .execute();

const released = (partner: Partner) =>
  eventually(
    () => own(partner),
    ({ customDomain }) => customDomain === null,
    30_000,
  );

describe('a claim to a domain of another owner', () => {
  it('does not prevent the owner from verifying it, which ends the claim', async () => {
    const [squatter, owner] = [await newPartner('Squatter'), await newPartner('Owner')];
    const host = 'licenses.owner.example';
    expect((await claim(squatter, host)).status).toBe(200);
    expect((await claim(owner, host)).status).toBe(200);
    zone.set(host, recordsOf(owner));
    expect((await verify(squatter)).body).toMatchObject({ success: false });
    expect((await verify(owner)).body).toMatchObject({ success: true, serviceIntegrator: { domainVerified: true } });
    await watchNow();
    expect((await released(squatter)).releasedDomain).toEqual({
      domain: host,
      reason: 'verified_by_other',
      at: expect.any(String),
    });
    expect(await own(owner)).toMatchObject({ customDomain: host, domainVerified: true, domainExpiresAt: null });
    expect(await claim(squatter, host)).toMatchObject({ status: 409, body: { code: 'custom_domain_taken' } });
  });

  it('does not end a verification, even with its own record in the same zone', async () => {
    const [first, second] = [await newPartner('First'), await newPartner('Second')];
    const host = 'licenses.shared.example';
    await claim(first, host);
    await claim(second, host);
    zone.set(host, recordsOf(second, first));
    const replies = await Promise.all([verify(first), verify(second)]);
    expect(replies.map(({ body }) => body.success).sort()).toEqual([false, true]);
    const holders = (await Promise.all([own(first), own(second)])).filter(({ domainVerified }) => domainVerified);
    expect(holders).toHaveLength(1);
  });

  it('ends 7 days after it was made', async () => {
    const squatter = await newPartner('Sleeper');
    const host = 'licenses.sleeper.example';
    await claim(squatter, host);
    const { domainExpiresAt } = await own(squatter);
    const claimedAt = Date.parse(domainExpiresAt) - 7 * DAY_MS;
    expect(Math.abs(claimedAt - Date.now())).toBeLessThan(60_000);
    await server.product.db
      .updateTable('ops.verified_domain')
      .set({ unverified_since: new Date(claimedAt - 7 * DAY_MS) })
      .where('host', '=', host)
      .execute();
    await watchNow();
    expect(await released(squatter)).toMatchObject({
      domainExpiresAt: null,
      releasedDomain: { domain: host, reason: 'expired', at: expect.any(String) },
    });
    const again = await claim(squatter, host);
    expect(again.body.serviceIntegrator.releasedDomain).toBeNull();
    expect(Date.parse(again.body.serviceIntegrator.domainExpiresAt)).toBeGreaterThanOrEqual(Date.parse(domainExpiresAt));
  });
});

describe('a verified domain with a new owner', () => {
  it('is available to its new owner as soon as the former record is removed', async () => {
    const [former, next] = [await newPartner('Former'), await newPartner('Next')];
    const host = 'licenses.sold.example';
    zone.set(host, recordsOf(former));
    await claim(former, host);
    expect((await verify(former)).body.success).toBe(true);
    expect((await claim(next, host)).status).toBe(409);
    zone.set(host, recordsOf(next));
    expect((await claim(next, host)).status).toBe(200);
    expect((await verify(next)).body.success).toBe(true);
  });

  it('is available once its integrator released it, churned or was deleted', async () => {
    const host = 'licenses.released.example';
    const profile = { companyName: 'Any', contactEmail: 'a@b.example', billingEmail: 'a@b.example' };
    const leave: ((partner: Partner) => Promise<Reply>)[] = [
      (partner) => claim(partner, null),
      (partner) => admin.put(`/api/admin/service-integrators/${partner.id}`, { ...profile, status: 'churned' }),
      (partner) => admin.delete(`/api/admin/service-integrators/${partner.id}`),
      async () => ({ status: 200, headers: new Headers(), body: null }),
    ];
    for (const [index, left] of leave.entries()) {
      const partner = await newPartner(`Partner ${index}`);
      zone.set(host, recordsOf(partner));
      expect((await claim(partner, host)).status).toBe(200);
      expect((await verify(partner)).body.success).toBe(true);
      expect((await left(partner)).status).toBe(200);
    }
  });
});

describe('a claim to a name of the server itself', () => {
  it.each([
    'portal.acme.example',
    'PORTAL.acme.example.',
    'acme.example',
    'a.portal.acme.example',
    'licenses.acme.example',
    'deep.below.licenses.acme.example',
    'app.localhost',
  ])('is rejected: %s', async (customDomain) => {
    const partner = await newPartner('Impostor');
    const profile = { companyName: 'Impostor', contactEmail: 'a@b.example', billingEmail: 'a@b.example' };
    const replies = [
      await claim(partner, customDomain),
      await admin.put(`/api/admin/service-integrators/${partner.id}`, { ...profile, whiteLabelEnabled: true, customDomain }),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([400, 'custom_domain_reserved']));
  });

  it('does not affect other names', async () => {
    expect((await claim(await newPartner('Neighbor'), 'partner.acme.example')).status).toBe(200);
    expect((await claim(await newPartner('Lookalike'), 'xportal.acme.example')).status).toBe(200);
  });
});
