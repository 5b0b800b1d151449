import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import { MAX_NAME } from '../../src/domain/limits.ts';
import { alertQueries } from '../../src/projections/alerts/queries.ts';
import { keyFragmentsOf } from '../../src/projections/lists/keyFragments.ts';
import {
  accountDeletionRequested,
  customerDetailsChanged,
  customerRecordsChanged,
  customerRegistered,
  customerSuspended,
  licenseIssued,
  licenseKeyRotated,
  seatClaimed,
  seatLimitsRelaxed,
  seatsAllocated,
  themeAssigned,
  userRegistered,
} from '../support/builders/customer.ts';
import { everyEvent } from '../support/builders/everyEvent.ts';
import { createRandom, ideographs } from '../support/random.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { appendEvents, digest, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const { CustomerRegistered: _, CustomerDeleted: __, ...changes } = everyEvent.customer;

describe('a customer', () => {
  it.each(Object.values(changes).map((event) => [event.type, event] as const))(
    'has the revision of its stream after %s',
    async (_type, event) => {
      const { customerId, position } = await newCustomer(fixture, { events: [event] });
      await settled(fixture, 'read', position);
      expect((await fixture.queries.customers.get(customerId))?.revision).toBe(1n);
    },
  );

  it('is returned with all fields of its events', async () => {
    const integratorId = await newIntegrator(fixture, 'Northwind Partners');
    const customerId = randomUUID() as CustomerId;
    const position = await appendEvents(fixture, streams.customer(customerId), [
      customerRegistered({ customerId, integratorId, name: 'Acme', company: null }),
      licenseIssued('LK-ENT-AAAA-11111'),
      seatsAllocated({ developerSeats: 3, stakeholderSeats: -1 }),
      seatLimitsRelaxed(),
      themeAssigned('aurora'),
      userRegistered('ada'),
      seatClaimed('ada'),
      accountDeletionRequested(),
    ]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.get(customerId)).toEqual({
      revision: 7n,
      customer: {
        id: customerId,
        name: 'Acme',
        contactEmail: 'ops@acme.example',
        company: null,
        licenseKey: 'LK-ENT-AAAA-11111',
        status: 'active',
        serviceIntegratorId: integratorId,
        serviceIntegratorName: 'Northwind Partners',
        theme: 'aurora',
        themeDisplayName: 'Aurora',
        tier: 'ENT',
        developerSeats: 3,
        stakeholderSeats: -1,
        activeDeveloperSeats: 1,
        activeStakeholderSeats: 0,
        seatLimitsEnforced: false,
        machineApprovalEnforced: true,
        totalApiCalls: 0,
        activeConnections: 0,
        lastApiCall: null,
        lastActivityAt: null,
        deletionRequestedAt: '2026-01-31T12:00:00.000Z',
        hasPassword: false,
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    });
  });

  it('is found by its current license key only', async () => {
    const customerId = randomUUID() as CustomerId;
    const integratorId = await newIntegrator(fixture);
    const position = await appendEvents(fixture, streams.customer(customerId), [
      customerRegistered({ customerId, integratorId }),
      licenseIssued('LK-ENT-OLD0-00000'),
      licenseKeyRotated('LK-ENT-NEW0-00000'),
      customerSuspended(),
    ]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.byLicenseKey(digest('LK-ENT-OLD0-00000'))).toBeNull();
    expect(await fixture.queries.customers.byLicenseKey(digest('LK-ENT-NEW0-00000'))).toEqual({
      customerId,
      integratorId,
      status: 'suspended',
    });
    expect((await fixture.queries.customers.get(customerId))?.customer.licenseKey).toBe('LK-ENT-NEW0-00000');
  });

  it('that does not exist is null', async () => {
    expect(await fixture.queries.customers.get(randomUUID() as CustomerId)).toBeNull();
    expect(await fixture.queries.customers.byLicenseKey(digest('nobody'))).toBeNull();
  });
});

describe('a list of customers', () => {
  const enrolled = async (integratorId: IntegratorId, names: readonly string[], fromSecond = 0) => {
    const ids: CustomerId[] = [];
    let position = 0n;
    for (const [index, name] of names.entries()) {
      const customerId = randomUUID() as CustomerId;
      ids.push(customerId);
      position = await appendEvents(
        fixture,
        streams.customer(customerId),
        [customerRegistered({ customerId, integratorId, name, contactEmail: `${index}@list.example`, company: `${name} Ltd` })],
        { at: new Date(Date.UTC(2026, 0, 1, 0, 0, fromSecond + index)).toISOString() },
      );
    }
    await settled(fixture, 'read', position);
    return ids;
  };
  const names = async (filter: Partial<Parameters<typeof fixture.queries.customers.list>[0]>) => {
    const page = await fixture.queries.customers.list({ sort: '-createdAt', limit: 100, ...filter });
    return { ...page, names: page.customers.map(({ name }) => name) };
  };

  it('is sorted by each column, ignoring case and accents', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    await enrolled(serviceIntegratorId, ['beta', 'Éclair', 'alpha', 'Delta']);
    expect((await names({ serviceIntegratorId })).names).toEqual(['Delta', 'alpha', 'Éclair', 'beta']);
    expect((await names({ serviceIntegratorId, sort: 'createdAt' })).names).toEqual(['beta', 'Éclair', 'alpha', 'Delta']);
    expect((await names({ serviceIntegratorId, sort: 'name' })).names).toEqual(['alpha', 'beta', 'Delta', 'Éclair']);
    expect((await names({ serviceIntegratorId, sort: '-name' })).names).toEqual(['Éclair', 'Delta', 'beta', 'alpha']);
  });

  it('continues after the last row if rows were inserted', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    await enrolled(serviceIntegratorId, ['a', 'b', 'c', 'd', 'e']);
    for (const sort of ['createdAt', 'name'] as const) {
      const first = await names({ serviceIntegratorId, sort, limit: 2 });
      expect(first.names.slice(0, 2)).toEqual(['a', 'b']);
      const second = await names({ serviceIntegratorId, sort, limit: 2, cursor: first.nextCursor ?? '' });
      expect(second.names).toEqual(['c', 'd']);
      const third = await names({ serviceIntegratorId, sort, limit: 2, cursor: second.nextCursor ?? '' });
      expect(third).toMatchObject({ names: ['e'], nextCursor: null, total: 5 });
    }
    const first = await names({ serviceIntegratorId, limit: 2 });
    expect(first.names).toEqual(['e', 'd']);
    await enrolled(serviceIntegratorId, ['newer', 'newest'], 10);
    expect((await names({ serviceIntegratorId, limit: 2, cursor: first.nextCursor ?? '' })).names).toEqual(['c', 'b']);
  });

  it('orders rows of the same time by id', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    const ids = Array.from({ length: 7 }, () => randomUUID() as CustomerId);
    let position = 0n;
    for (const customerId of ids) {
      position = await appendEvents(fixture, streams.customer(customerId), [
        customerRegistered({ customerId, integratorId: serviceIntegratorId, name: 'same' }),
      ]);
    }
    await settled(fixture, 'read', position);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await fixture.queries.customers.list({ serviceIntegratorId, sort: 'name', limit: 3, cursor });
      seen.push(...page.customers.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([...ids].sort());
  });

  it('rejects a cursor of another list', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    await enrolled(serviceIntegratorId, ['a', 'b', 'c']);
    const { nextCursor } = await names({ serviceIntegratorId, limit: 1 });
    await expect(names({ sort: 'name', cursor: nextCursor ?? '' })).rejects.toThrow('Not a cursor');
    await expect(names({ cursor: 'garbage' })).rejects.toThrow('Not a cursor');
    const forged = Buffer.from(JSON.stringify(['-createdAt', "'; drop table", randomUUID()])).toString('base64url');
    await expect(names({ cursor: forged })).rejects.toThrow('Not a cursor');
  });

  it('is searched by name, email and company, ignoring case, with wildcards as literals', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    await enrolled(serviceIntegratorId, ['Acme 100% Steel', 'Bolt_Works']);
    expect((await names({ serviceIntegratorId, search: 'aCmE' })).names).toEqual(['Acme 100% Steel']);
    expect((await names({ serviceIntegratorId, search: '100%' })).names).toEqual(['Acme 100% Steel']);
    expect((await names({ serviceIntegratorId, search: 't_w' })).names).toEqual(['Bolt_Works']);
    expect((await names({ serviceIntegratorId, search: '%' })).names).toEqual(['Acme 100% Steel']);
    expect((await names({ serviceIntegratorId, search: '1@list' })).names).toEqual(['Bolt_Works']);
    expect((await names({ serviceIntegratorId, search: 'works ltd' })).names).toEqual(['Bolt_Works']);
    expect((await names({ serviceIntegratorId, search: 'steel0@' })).names).toEqual([]);
  });

  it('is searched by the end of each field, however long all of them are', async () => {
    const random = createRandom(5);
    const longest = (end: string): string => ideographs(random, MAX_NAME - end.length) + end;
    const serviceIntegratorId = await newIntegrator(fixture);
    const customerId = randomUUID() as CustomerId;
    const name = longest('終一');
    const position = await appendEvents(fixture, streams.customer(customerId), [
      customerRegistered({ customerId, integratorId: serviceIntegratorId, name, company: longest('終二') }),
      customerRecordsChanged({ externalId: longest('終三') }),
    ]);
    await settled(fixture, 'read', position);
    for (const search of ['·終一', '·終二', '·終三', 'acme.example'])
      expect([search, (await names({ serviceIntegratorId, search })).names]).toEqual([search, [name]]);
  });

  it('is searched in each order, page by page, however many match', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    const [like] = await enrolled(serviceIntegratorId, ['Original']);
    await sql`
      insert into read.customer select (copied.one).* from (
        select jsonb_populate_record(c, jsonb_build_object(
          'customer_id', gen_random_uuid(), 'name', 'Copy ' || n, 'sort_name', 'copy ' || n % 977, 'search', 'copy ' || n, 'license_sealed', null,
          'status', case when n % 3 = 0 then 'suspended' else 'active' end, 'created_at', c.created_at + n % 1009 * interval '1 second',
          'tags', case when n % 50 = 0 then 'vip' end, 'developer_utilization', n % 101,
          'active_developer_seats', n % 97, 'active_stakeholder_seats', n % 89)) as one
        from read.customer c, generate_series(1, 10100) n where c.customer_id = ${like}) copied`.execute(fixture.db);
    const columns = {
      createdAt: 'created_at',
      name: 'sort_name',
      developerUtilization: 'developer_utilization',
      heldDeveloperSeats: 'active_developer_seats',
      heldStakeholderSeats: 'active_stakeholder_seats',
    } as const;
    const expected = async (
      search: string,
      tag: string | null,
      status: string | null,
      sort: keyof typeof columns,
      direction: string,
    ) => {
      const column = sql.ref(columns[sort]);
      const { rows } = await sql<{ name: string; status: string }>`
        select name, status from read.customer where integrator_id = ${serviceIntegratorId} and search like ${`%${search}%`}
          and (${tag}::text is null or tags = ${tag}) and (${status}::text is null or status = ${status})
        order by ${column} ${sql.raw(direction)}, customer_id ${sql.raw(direction)}`.execute(fixture.db);
      return rows.map(({ name }) => name);
    };
    const searches = [
      ['copy', null],
      ['copy 77', null],
      ['copy', 'vip'],
      ['copy nobody', null],
    ] as const;
    for (const [search, tag] of searches) {
      for (const sort of Object.keys(columns) as (keyof typeof columns)[]) {
        for (const [sign, direction] of [['', 'asc'] as const, ['-', 'desc'] as const]) {
          for (const status of IS_AT_LENGTH ? ([null, 'suspended'] as const) : (['suspended'] as const)) {
            const wanted = await expected(search, tag, status, sort, direction);
            const seen: string[] = [];
            let cursor: string | undefined;
            do {
              const page = await fixture.queries.customers.list({
                ...{ serviceIntegratorId, search, sort: `${sign}${sort}`, limit: 40 },
                ...(tag && { tag: [tag] }),
                ...(status && { status }),
                ...(cursor && { cursor }),
              });
              seen.push(...page.customers.map(({ name }) => name));
              cursor = page.nextCursor ?? undefined;
              if (search !== 'copy' || tag) expect([page.total, page.countedUpTo]).toEqual([wanted.length, undefined]);
              else expect([page.counts.all, page.countedUpTo]).toEqual([10_000, 10_000]);
            } while (cursor && seen.length < 100);
            expect(seen).toEqual(wanted.slice(0, seen.length));
            expect(seen).toHaveLength(Math.min(wanted.length, 120));
          }
        }
      }
    }
    await fixture.db.deleteFrom('read.customer').where('integrator_id', '=', serviceIntegratorId).execute();
  });

  it('is searched by four or more consecutive characters of a license key', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    const [acme] = await enrolled(serviceIntegratorId, ['Acme', 'Bolt']);
    const byKey = async (search: string) =>
      (await names({ serviceIntegratorId, search, keyFragments: keyFragmentsOf(digest, search) })).names;
    const issued = await appendEvents(fixture, streams.customer(acme as CustomerId), [licenseIssued('LK-ENT-7K2M-Q9XTR')]);
    await settled(fixture, 'read', issued);
    for (const part of [
      'LK-ENT-7K2M-Q9XTR',
      'ent-7k2m',
      '7K2M',
      ' 9xtr ',
      '2M-Q9',
      '2MQ9X',
      'Q9XTR',
      '7K2MQ9XTR',
      'LK-PRO-7K2M',
      'pro-7k2m',
    ]) {
      expect(await byKey(part), part).toEqual(['Acme']);
    }
    for (const part of ['7K2', 'XTR', '7K2N', 'Q9XTQ', '7K2M-Q9XTRA', 'LK-ENT-', 'M-Q9XT-R', '%7K2M', '7K2M Q9XTR']) {
      expect(await byKey(part), part).toEqual([]);
    }
    const rotated = await appendEvents(fixture, streams.customer(acme as CustomerId), [licenseKeyRotated('LK-ENT-AAAA-BBBBB')]);
    await settled(fixture, 'read', rotated);
    expect(await byKey('7K2M')).toEqual([]);
    expect(await byKey('AA-BBB')).toEqual(['Acme']);
  });

  it('stores no part of a license key as plaintext', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    const [acme] = await enrolled(serviceIntegratorId, ['Acme']);
    await settled(
      fixture,
      'read',
      await appendEvents(fixture, streams.customer(acme as CustomerId), [licenseIssued('LK-ENT-7K2M-Q9XTR')]),
    );
    const { rows } = await sql<{ row: string }>`select c::text as row from read.customer c where customer_id = ${acme}`.execute(
      fixture.db,
    );
    expect(rows[0]?.row).not.toMatch(/7K2M|Q9XTR/i);
    const { rows: hashes } = await sql<{ n: number; plain: boolean }>`
      select cardinality(key_fragments) as n, key_fragments && ${`{${Buffer.from('7K2M').readInt32BE(0)}}`}::int4[] as plain
      from read.customer where customer_id = ${acme}`.execute(fixture.db);
    expect(hashes).toEqual([{ n: 6, plain: false }]);
  });

  it('counts customers by status, all of them and those that match a search', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    const [first] = await enrolled(serviceIntegratorId, ['one', 'two', 'three']);
    const position = await appendEvents(fixture, streams.customer(first as CustomerId), [customerSuspended()]);
    await settled(fixture, 'read', position);
    const counts = { all: 3, active: 2, suspended: 1, churned: 0 };
    expect(await names({ serviceIntegratorId, status: 'suspended' })).toMatchObject({ names: ['one'], total: 1, counts });
    expect(await names({ serviceIntegratorId })).toMatchObject({ total: 3, counts });
    expect(await names({ serviceIntegratorId, search: 't' })).toMatchObject({ total: 2, names: ['three', 'two'] });
    expect(await names({ serviceIntegratorId, search: 'wo' })).toMatchObject({ total: 0 });
    expect(await names({ serviceIntegratorId, search: 'thr' })).toMatchObject({
      total: 1,
      counts: { all: 1, active: 1, suspended: 0, churned: 0 },
    });
  });

  it('lists the newest first, or all by id for batch work', async () => {
    const integratorId = await newIntegrator(fixture);
    const ids = await enrolled(integratorId, ['a', 'b', 'c']);
    const recent = await fixture.queries.customers.recent(2, integratorId);
    expect(recent.map(({ name }) => name)).toEqual(['c', 'b']);
    const [least, ...rest] = [...ids].sort();
    expect(await fixture.queries.customers.ids({ integratorId })).toEqual([least, ...rest]);
    expect(await fixture.queries.customers.ids({ integratorId, after: least as CustomerId, limit: 1 })).toEqual(rest.slice(0, 1));
  });
});

describe('a change of a customer', () => {
  it('updates the row and its revision', async () => {
    const integratorId = await newIntegrator(fixture);
    const customerId = randomUUID() as CustomerId;
    const stream = streams.customer(customerId);
    await appendEvents(fixture, stream, [customerRegistered({ customerId, integratorId })]);
    const position = await appendEvents(
      fixture,
      stream,
      [customerDetailsChanged({ name: 'Renamed', contactEmail: 'new@acme.example', company: null })],
      { actor: { kind: 'customer', id: customerId }, at: '2026-02-01T08:00:00.000Z' },
    );
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.get(customerId)).toMatchObject({
      revision: 1n,
      customer: { name: 'Renamed', contactEmail: 'new@acme.example', company: null, lastActivityAt: '2026-02-01T08:00:00.000Z' },
    });
    const found = await fixture.queries.customers.list({
      sort: 'name',
      limit: 10,
      serviceIntegratorId: integratorId,
      search: 'acme inc',
    });
    expect(found.total).toBe(0);
  });
});

describe('customers whose seats are full', () => {
  it('are those of one kind of seats at least, the followed ones first, found by an index', async () => {
    const integratorId = await newIntegrator(fixture);
    const { customerId: like, position } = await newCustomer(fixture, { integratorId, name: 'Full' });
    await settled(fixture, 'read', position);
    const copies = [
      { name: 'developers', developer_seats: 4, active_developer_seats: 3 },
      { name: 'stakeholders', stakeholder_seats: 2, active_stakeholder_seats: 2 },
      { name: 'floating', developer_seats: 4, floating_developer_minutes: 5, active_developer_seats: 4, leased_developer_seats: 2 },
      { name: 'above the limit', developer_seats: 1, active_developer_seats: 3 },
      { name: 'no seats', developer_seats: 0, active_developer_seats: 1 },
      { name: 'unlimited', developer_seats: -1, active_developer_seats: 9 },
      { name: 'suspended', status: 'suspended', developer_seats: 1, active_developer_seats: 1 },
    ].map((copy) => ({ stakeholder_seats: 0, ...copy, customer_id: randomUUID() as CustomerId }));
    await sql`
      insert into read.customer select (copied.one).* from (
        select jsonb_populate_record(c, copy || '{"license_sealed": null}') as one
        from read.customer c, jsonb_array_elements(${JSON.stringify(copies)}::jsonb) copy where c.customer_id = ${like}) copied`.execute(
      fixture.db,
    );
    const nameOf = new Map(copies.map(({ customer_id, name }) => [customer_id, name]));
    const full = async (threshold: number, followed: string[] = [], limit = 10) => {
      const first = copies.flatMap(({ customer_id, name }) => (followed.includes(name) ? [customer_id] : []));
      const found = await fixture.queries.alerts.fullCustomers(threshold, first, limit);
      return found.flatMap(({ customerId, percent }) => (nameOf.has(customerId) ? [[nameOf.get(customerId), percent]] : []));
    };
    const [above, stakeholders] = [
      ['above the limit', 300],
      ['stakeholders', 100],
    ];
    expect(await full(75)).toEqual([above, stakeholders, ['developers', 75]]);
    expect(await full(76)).toEqual([above, stakeholders]);
    expect(await full(50, ['developers', 'floating', 'suspended'])).toEqual([
      ['developers', 75],
      ['floating', 50],
      above,
      stakeholders,
    ]);
    expect(await full(50, ['developers'], 2)).toEqual([['developers', 75], above]);
    const scans = await fixture.db.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      await alertQueries(transaction).fullCustomers(75, [], 10);
      const { rows } = await sql<{ n: number }>`
        select pg_stat_get_xact_numscans('read.customer_seat_utilization'::regclass)::int4 as n`.execute(transaction);
      return rows[0]?.n;
    });
    expect(scans).toBeGreaterThan(0);
  });
});
