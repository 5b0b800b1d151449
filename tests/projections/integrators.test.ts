import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { IntegratorId } from '../../src/domain/ids.ts';
import { keyFragmentsOf } from '../../src/projections/lists/keyFragments.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import {
  brandingChanged,
  integratorChurned,
  integratorDeleted,
  integratorProfileChanged,
  integratorRegistered,
  masterLicenseIssued,
  masterLicenseKeyRotated,
  whiteLabelDisabled,
  whiteLabelEnabled,
} from '../support/builders/integrator.ts';
import { themeCreated, themeMadeDefault } from '../support/builders/theme.ts';
import { appendEvents, digest, NOW, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

describe('an integrator', () => {
  it('is returned with all fields of its events and its number of customers', async () => {
    const integratorId = randomUUID() as IntegratorId;
    await appendEvents(fixture, streams.integrator(integratorId), [
      integratorRegistered({ integratorId }),
      masterLicenseIssued('LK-SI-AAAA-11111'),
      integratorProfileChanged({ companyName: 'Northwind', contactEmail: 'tech@nw.example', billingEmail: 'pay@nw.example' }),
      whiteLabelEnabled(),
      brandingChanged({ customDomain: 'licenses.nw.example', logoUrl: 'https://nw.example/logo.svg' }),
    ]);
    await newCustomer(fixture, { integratorId });
    const { customerId } = await newCustomer(fixture, { integratorId });
    const position = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.integrators.get(integratorId)).toEqual({
      revision: 4n,
      serviceIntegrator: {
        id: integratorId,
        companyName: 'Northwind',
        name: 'Northwind',
        contactEmail: 'tech@nw.example',
        billingEmail: 'pay@nw.example',
        masterLicenseKey: 'LK-SI-AAAA-11111',
        status: 'active',
        whiteLabelEnabled: true,
        customDomain: 'licenses.nw.example',
        domainVerified: false,
        domainExpiresAt: null,
        releasedDomain: null,
        logoUrl: 'https://nw.example/logo.svg',
        customerCount: 1,
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    });
  });

  it('is found by its current master license key only', async () => {
    const integratorId = await newIntegrator(fixture);
    const position = await appendEvents(fixture, streams.integrator(integratorId), [
      masterLicenseIssued('LK-SI-OLD0-00000'),
      masterLicenseKeyRotated('LK-SI-NEW0-00000'),
      integratorChurned(),
      whiteLabelDisabled(),
    ]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.integrators.byMasterKey(digest('LK-SI-OLD0-00000'))).toBeNull();
    expect(await fixture.queries.integrators.byMasterKey(digest('LK-SI-NEW0-00000'))).toEqual({ integratorId, status: 'churned' });
  });

  it('is removed with its themes when it is deleted', async () => {
    const integratorId = await newIntegrator(fixture);
    const theme = randomUUID();
    await appendEvents(fixture, streams.themes(integratorId), [themeCreated(theme)]);
    const position = await appendEvents(fixture, streams.integrator(integratorId), [integratorDeleted()]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.integrators.get(integratorId)).toBeNull();
    expect(await fixture.queries.themes.list({ integratorId, limit: 10 })).toMatchObject({ themes: [], total: 0 });
  });
});

describe('a custom domain', () => {
  it('shows its brand from the verification until the record is missing', async () => {
    const integratorId = await newIntegrator(fixture, 'Contoso');
    const theme = randomUUID();
    await appendEvents(fixture, streams.themes(integratorId), [
      themeCreated(theme, { primaryColor: '#123456' }),
      themeMadeDefault(theme),
    ]);
    const host = 'licenses.contoso.example';
    const position = await appendEvents(fixture, streams.integrator(integratorId), [
      whiteLabelEnabled(),
      brandingChanged({ customDomain: host, logoUrl: null }),
    ]);
    await settled(fixture, 'read', position);
    const { integrators } = fixture.queries;
    const owner = {
      integratorId,
      companyName: 'Contoso',
      logoUrl: null,
      primaryColor: '#123456',
      status: 'active',
      whiteLabelEnabled: true,
      customDomain: host,
    };
    expect(await integrators.byDomain(host)).toEqual({ ...owner, verified: false });
    expect(await integrators.domains({ verified: false })).toContainEqual({ integratorId, host, expiresAt: null, isTaken: false });
    await integrators.startClaim(integratorId, host);
    const { domainExpiresAt } = (await integrators.get(integratorId))?.serviceIntegrator ?? {};
    const [claim] = (await integrators.domains({ verified: false })).filter((domain) => domain.integratorId === integratorId);
    expect(claim?.expiresAt?.toISOString()).toBe(domainExpiresAt);
    await integrators.markDomain(integratorId, host, NOW);
    expect(await integrators.byDomain(host)).toEqual({ ...owner, verified: true });
    expect(await integrators.domains({ verified: true })).toContainEqual({ integratorId, host, expiresAt: null, isTaken: false });
    expect((await integrators.get(integratorId))?.serviceIntegrator.domainVerified).toBe(true);
    const moved = await appendEvents(fixture, streams.integrator(integratorId), [
      brandingChanged({ customDomain: 'other.contoso.example' }),
    ]);
    await settled(fixture, 'read', moved);
    expect(await integrators.byDomain('other.contoso.example')).toMatchObject({ integratorId, verified: false });
    await integrators.markDomain(integratorId, host, null);
    expect(await integrators.byDomain(host)).toBeNull();
  });
});

describe('a list of integrators', () => {
  it('is sorted, searched, filtered and paged', async () => {
    const names = ['zulu partners', 'Alpha partners', 'mike partners'];
    for (const [index, name] of names.entries()) await newIntegrator(fixture, name, `2026-03-0${index + 1}T00:00:00.000Z`);
    const last = await newIntegrator(fixture, 'Kilo partners', '2026-03-09T00:00:00.000Z');
    const position = await appendEvents(fixture, streams.integrator(last), [
      integratorChurned(),
      masterLicenseIssued('LK-SI-7K2M-Q9XTR'),
    ]);
    await settled(fixture, 'read', position);
    const list = async (filter: Partial<Parameters<typeof fixture.queries.integrators.list>[0]>) => {
      const page = await fixture.queries.integrators.list({ sort: '-createdAt', limit: 100, search: 'partners', ...filter });
      return { ...page, names: page.serviceIntegrators.map(({ name }) => name) };
    };
    expect((await list({})).names).toEqual(['Kilo partners', 'mike partners', 'Alpha partners', 'zulu partners']);
    expect(await list({ sort: 'companyName' })).toMatchObject({
      names: ['Alpha partners', 'Kilo partners', 'mike partners', 'zulu partners'],
      total: 4,
      nextCursor: null,
    });
    expect(await list({ status: 'churned' })).toMatchObject({
      names: ['Kilo partners'],
      total: 1,
      counts: { all: 4, active: 3, suspended: 0, churned: 1 },
    });
    for (const search of ['LK-SI-7K2M-Q9XTR', '7K2M', '9xtr']) {
      expect((await list({ search, keyFragments: keyFragmentsOf(digest, search) })).names, search).toEqual(['Kilo partners']);
    }
    const first = await list({ sort: '-companyName', limit: 3 });
    expect(first.names).toEqual(['zulu partners', 'mike partners', 'Kilo partners']);
    expect((await list({ sort: '-companyName', limit: 3, cursor: first.nextCursor ?? '' })).names).toEqual(['Alpha partners']);
    const all = await fixture.queries.integrators.list({ sort: 'createdAt', limit: 1 });
    expect(all.total).toBeGreaterThanOrEqual(4);
    expect(all.counts.all).toBe(all.total);
    expect((await fixture.queries.integrators.list({ sort: 'createdAt', limit: 1, status: 'churned' })).total).toBe(
      all.counts.churned,
    );
  });
});
