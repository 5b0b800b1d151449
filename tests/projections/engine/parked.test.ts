import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import type { CustomerId } from '../../../src/domain/ids.ts';
import { retryParked } from '../../../src/projections/engine/retry.ts';
import { type Notice, type Runner, startRunner } from '../../../src/projections/engine/runner.ts';
import {
  customerDetailsChanged,
  customerRegistered,
  customerSuspended,
  seatsAllocated,
  userRegistered,
} from '../../support/builders/customer.ts';
import { eventually } from '../../support/eventually.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../../support/memoryEventStore.ts';
import { appendEvents, openFixture, plans, runnerDeps, settled } from '../fixture.ts';
import { newCustomer, newIntegrator } from '../tenants.ts';

let store: MemoryEventStore;
const fixture = openFixture((sealing) => {
  store = createMemoryEventStore(sealing);
  return store;
});

let runner: Runner | undefined;
const run = (notices: Notice[] = []): void => {
  runner = startRunner(
    plans.main,
    runnerDeps(fixture, (notice) => notices.push(notice)),
  );
};

afterEach(async () => {
  await runner?.stop();
  await fixture.db.deleteFrom('read.parked').execute();
});

const parked = () => fixture.queries.monitoring.parked();

describe('an event that cannot be read', () => {
  it('parks its stream with the reason, and other streams continue', async () => {
    const notices: Notice[] = [];
    run(notices);
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    await store.appendRaw(stream, 'SeatsAllocated', { developerSeats: 'many' });
    await appendEvents(fixture, stream, [customerSuspended()]);
    const other = await newCustomer(fixture, { name: 'Other' });
    await settled(fixture, 'read', other.position);
    expect(await fixture.queries.customers.get(other.customerId)).toMatchObject({ customer: { name: 'Other' } });
    expect(await fixture.queries.customers.get(customerId)).toMatchObject({ revision: 0n, customer: { status: 'active' } });
    expect(await parked()).toEqual([
      {
        group: 'main',
        stream,
        events: 2,
        type: 'SeatsAllocated',
        reason: expect.any(String),
        position: expect.any(String),
        at: null,
      },
    ]);
    // The runner reports an event after it has stored it.
    const reported = await eventually(
      () => notices.flatMap((notice) => (notice.kind === 'parked' ? [[notice.event.type, notice.event.reason]] : [])),
      ({ length }) => length === 2,
    );
    expect(reported).toEqual([
      ['SeatsAllocated', expect.any(String)],
      ['CustomerSuspended', 'An earlier event of this stream could not be projected'],
    ]);
  });

  it('is applied with the following events of its stream once it can be decoded', async () => {
    run();
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    await store.appendRaw(stream, 'SeatsAllocated', { developerSeats: 'many' });
    await settled(fixture, 'read', await appendEvents(fixture, stream, [customerSuspended()]));
    const again = await retryParked(plans.main, fixture);
    expect(again).toEqual({ applied: 0, stillParked: [{ stream, reason: 'SeatsAllocated cannot be read' }] });
    store.replaceRaw(stream, 1n, { developerSeats: 7, stakeholderSeats: 2 });
    expect(await retryParked(plans.main, fixture)).toEqual({ applied: 2, stillParked: [] });
    expect(await fixture.queries.customers.get(customerId)).toMatchObject({
      revision: 2n,
      customer: { developerSeats: 7, status: 'suspended' },
    });
    expect(await parked()).toEqual([]);
    const position = await appendEvents(fixture, stream, [customerDetailsChanged({ name: 'Goes on' })]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.get(customerId)).toMatchObject({ revision: 3n, customer: { name: 'Goes on' } });
  });

  it('is removed if its stream is deleted', async () => {
    run();
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    await store.appendRaw(stream, 'Unknown', {});
    await settled(fixture, 'read', (await newCustomer(fixture)).position);
    expect(await parked()).toHaveLength(1);
    await store.deleteStream(stream);
    expect(await retryParked(plans.main, fixture)).toEqual({ applied: 0, stillParked: [] });
    expect(await parked()).toEqual([]);
  });
});

describe('an event that a projection refuses', () => {
  it('is the only one parked among a thousand others', async () => {
    const integratorId = await newIntegrator(fixture);
    const orphan = randomUUID() as CustomerId;
    await appendEvents(fixture, streams.customer(orphan), [userRegistered('orphan')]);
    const ids: CustomerId[] = [];
    let position = 0n;
    for (let n = 0; n < 50; n++) {
      const customerId = randomUUID() as CustomerId;
      ids.push(customerId);
      position = await appendEvents(fixture, streams.customer(customerId), [customerRegistered({ customerId, integratorId })]);
      if (n === 20) await appendEvents(fixture, streams.customer(orphan), [seatsAllocated()]);
    }
    run();
    await settled(fixture, 'read', position);
    expect(await parked()).toMatchObject([
      { stream: streams.customer(orphan), events: 2, reason: 'The customer of this user is unknown' },
    ]);
    expect(await fixture.queries.customers.list({ sort: 'name', limit: 100, serviceIntegratorId: integratorId })).toMatchObject({
      total: 50,
    });
  });

  it('stays parked with the new reason if it is refused again', async () => {
    run();
    const orphan = randomUUID() as CustomerId;
    await settled(
      fixture,
      'read',
      await appendEvents(fixture, streams.customer(orphan), [userRegistered('orphan'), seatsAllocated()]),
    );
    expect(await retryParked(plans.main, fixture)).toEqual({
      applied: 0,
      stillParked: [{ stream: streams.customer(orphan), reason: 'The customer of this user is unknown' }],
    });
    expect(await parked()).toMatchObject([{ events: 2 }]);
  });
});

describe('an event that the database refuses', () => {
  it('is identified within its batch and parked', async () => {
    const { customerId } = await newCustomer(fixture);
    const bad = await newCustomer(fixture);
    await appendEvents(fixture, streams.customer(bad.customerId), [
      customerDetailsChanged({ name: 'NUL \0 inside' }),
      seatsAllocated(),
    ]);
    const { position } = await newCustomer(fixture);
    run();
    await settled(fixture, 'read', position);
    expect(await parked()).toMatchObject([{ stream: streams.customer(bad.customerId), type: 'CustomerDetailsChanged', events: 2 }]);
    expect(await fixture.queries.customers.get(customerId)).not.toBeNull();
    expect(await fixture.queries.customers.get(bad.customerId)).toMatchObject({ revision: 0n, customer: { developerSeats: 0 } });
  });
});
