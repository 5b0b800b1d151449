import { randomUUID } from 'node:crypto';
import { BACKWARDS } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import { ERASED } from '../../src/domain/event.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { closeClient } from '../../src/eventstore/client.ts';
import { clientOf } from '../../src/eventstore/connect.ts';
import { customerOwner } from '../../src/security/owner.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import {
  customerRegistered,
  licenseIssued,
  seatLimitsEnforced,
  seatLimitsRelaxed,
  userRegistered,
} from '../support/builders/customer.ts';
import { eventsOf, openStoreFixture, readAll } from './adapterSupport.ts';

const fixture = openStoreFixture();
const meta = metaOf({ actor: { kind: 'customer', id: 'c' }, causationId: 'cause' });
const newCustomer = () => {
  const customerId = randomUUID() as CustomerId;
  return { customerId, stream: streams.customer(customerId), registered: customerRegistered({ customerId }) };
};

describe('appending', () => {
  it('returns the appended events with their positions and metadata', async () => {
    const { stream, registered } = newCustomer();
    const appended = await fixture.events.append(stream, [registered, licenseIssued()], { expected: 'no_stream', meta });
    const [first, second] = await readAll(fixture.events, stream);
    expect(first).toMatchObject({ stream, revision: 0n, event: registered, meta });
    expect(second).toMatchObject({ stream, revision: 1n, event: licenseIssued(), meta });
    expect(appended).toEqual({ ok: true, revision: 1n, position: second?.position });
  });

  it('refuses another revision than the expected one', async () => {
    const { stream, registered } = newCustomer();
    const wrong = { ok: false, reason: 'wrong_expected_revision' };
    expect(await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 0n, meta })).toEqual(wrong);
    expect(await fixture.events.append(stream, [registered], { expected: 'no_stream', meta })).toMatchObject({ ok: true });
    expect(await fixture.events.append(stream, [registered], { expected: 'no_stream', meta })).toEqual(wrong);
    expect(await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 7n, meta })).toEqual(wrong);
    expect(await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 0n, meta })).toMatchObject({ revision: 1n });
    expect(await fixture.events.append(stream, [seatLimitsRelaxed()], { expected: 'any', meta })).toMatchObject({ revision: 2n });
  });

  it('writes the same event ids once, and returns their position', async () => {
    const { stream, registered } = newCustomer();
    const options = { expected: 'no_stream' as const, meta, eventIds: [randomUUID()] };
    const once = await fixture.events.append(stream, [registered], options);
    const again = await fixture.events.append(stream, [registered], options);
    expect(again).toEqual(once);
    expect(await readAll(fixture.events, stream)).toHaveLength(1);
  });

  it('stores separate metadata for each event if given', async () => {
    const { stream } = newCustomer();
    const metas = [metaOf({ commandId: 'one' }), metaOf({ commandId: 'two' })];
    await fixture.events.append(stream, [seatLimitsEnforced(), seatLimitsRelaxed()], { expected: 'any', meta: metas });
    expect((await readAll(fixture.events, stream)).map((recorded) => recorded.meta.commandId)).toEqual(['one', 'two']);
    await expect(
      fixture.events.append(stream, [seatLimitsEnforced(), seatLimitsRelaxed()], { expected: 'any', meta: [metaOf()] }),
    ).rejects.toThrow('No metadata for event 1');
  });

  it('accepts one of many concurrent appends', async () => {
    const { stream } = newCustomer();
    const race = Array.from({ length: 50 }, () =>
      fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta }),
    );
    expect((await Promise.all(race)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(await readAll(fixture.events, stream)).toHaveLength(1);
  });

  it('seals sensitive fields before it sends them', async () => {
    const { stream, registered } = newCustomer();
    await fixture.events.append(stream, [registered], { expected: 'no_stream', meta });
    const client = clientOf(fixture.stores.eventStoreUrl);
    for await (const { event } of client.readStream(stream, { direction: BACKWARDS, maxCount: 1 })) {
      expect(event?.isJson).toBe(true);
      const bytes = JSON.stringify(event?.data);
      expect(bytes).toContain(registered.data.customerId);
      for (const secret of [registered.data.name, registered.data.contactEmail, registered.data.company ?? '']) {
        expect(bytes).not.toContain(`"${secret}"`);
      }
    }
    await closeClient(client);
  });
});

describe('reading', () => {
  it('returns no events of a stream that does not exist', async () => {
    expect(await readAll(fixture.events, newCustomer().stream)).toEqual([]);
  });

  it('starts at a revision', async () => {
    const { stream, registered } = newCustomer();
    await fixture.events.append(stream, [registered, licenseIssued(), seatLimitsEnforced()], { expected: 'no_stream', meta });
    expect((await readAll(fixture.events, stream, 1n)).map(({ revision }) => revision)).toEqual([1n, 2n]);
    expect(await readAll(fixture.events, stream, 3n)).toEqual([]);
  });

  it('spans many pages, and can stop early without an effect on other reads', async () => {
    const { stream } = newCustomer();
    const many = Array.from({ length: 1200 }, (_, i) => userRegistered(`user-${i}`));
    await fixture.events.append(stream, many, { expected: 'no_stream', meta });
    const other = readAll(fixture.events, stream);
    for await (const { revision } of fixture.events.read(stream)) if (revision === 3n) break;
    expect((await other).map(({ event }) => event)).toEqual(many);
  });

  it('returns batches of API calls as they were appended', async () => {
    const { customerId } = newCustomer();
    const stream = streams.apiCalls(customerId, '2026-01-31');
    const calls = Array.from({ length: 1000 }, (_, i) => recordedCall({ durationMs: i, operation: 'GET:/søk' }));
    const recorded = apiCallsRecorded({ customerId, calls });
    await fixture.events.append(stream, [recorded], { expected: 'any', meta });
    expect(await eventsOf(fixture.events, stream)).toEqual([recorded]);
  });
});

describe('erasing', () => {
  it('keeps events but no personal data', async () => {
    const { stream, customerId, registered } = newCustomer();
    await fixture.events.append(stream, [registered, licenseIssued(), seatLimitsEnforced()], { expected: 'no_stream', meta });
    await fixture.vault.destroy(customerOwner(customerId));
    expect(await eventsOf(fixture.events, stream)).toEqual([
      customerRegistered({ customerId, name: ERASED, contactEmail: ERASED, company: ERASED }),
      licenseIssued(ERASED),
      seatLimitsEnforced(),
    ]);
  });

  it('deletes a stream, a deleted stream and a stream that never existed', async () => {
    const { stream } = newCustomer();
    await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    await fixture.events.deleteStream(stream);
    await fixture.events.deleteStream(stream);
    await fixture.events.deleteStream(newCustomer().stream);
    expect(await readAll(fixture.events, stream)).toEqual([]);
  });

  it('continues the revisions of a deleted stream', async () => {
    const { stream } = newCustomer();
    await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    await fixture.events.deleteStream(stream);
    expect(await fixture.events.append(stream, [seatLimitsRelaxed()], { expected: 'any', meta })).toMatchObject({ revision: 1n });
    expect(await eventsOf(fixture.events, stream)).toEqual([seatLimitsRelaxed()]);
  });
});

describe('the store', () => {
  it('returns its first and its newest event', async () => {
    const { stream } = newCustomer();
    const identity = await fixture.events.identity();
    const appended = await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    const head = await fixture.events.head();
    expect(appended).toMatchObject({ ok: true });
    if (appended.ok && fixture.stores.after === null) expect(head).toBe(appended.position);
    expect(head).not.toBeNull();
    expect(await fixture.events.identity()).toBe(identity);
    expect(identity).not.toBeNull();
  });
});
