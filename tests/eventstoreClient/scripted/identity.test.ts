import { describe, expect, it } from 'vitest';
import { failures } from '../../support/fakeEventStoreMessages.ts';
import { appendTo, failureOf, newCustomerStream, openAdapter, openFake } from './support.ts';

describe('the identity of a store', () => {
  it('is appended once, whichever nodes ask for it first', async () => {
    const fake = await openFake();
    const nodes = Array.from({ length: 5 }, () => openAdapter(fake.url));
    const identities = await Promise.all(nodes.map(({ identity }) => identity()));
    expect(new Set(identities).size).toBe(1);
    expect(fake.events).toMatchObject([{ stream: 'storeIdentity', type: 'StoreIdentified' }]);
  });

  it('of an empty store is the id of the first event, which former versions take for it', async () => {
    const fake = await openFake();
    expect(await openAdapter(fake.url).identity()).toBe(fake.events[0]?.id);
  });

  it('of a store of a former version stays the id of its first event', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    await appendTo(events, newCustomerStream(), 3);
    expect(await events.identity()).toBe(fake.events[0]?.id);
  });

  it('stays when a scavenge removes the first events', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    await appendTo(events, newCustomerStream(), 3);
    const identity = await events.identity();
    fake.removeFirst(3);
    expect(await events.identity()).toBe(identity);
    expect(await openAdapter(fake.url).identity()).toBe(identity);
  });

  it('differs between stores', async () => {
    const [one, other] = [await openFake(), await openFake()];
    expect(await openAdapter(one.url).identity()).not.toBe(await openAdapter(other.url).identity());
  });

  it('cannot be appended without the right to write', async () => {
    const fake = await openFake();
    fake.script.append = () => failures.accessDenied();
    expect(await failureOf(openAdapter(fake.url).identity())).toMatchObject({
      outage: 'access_denied',
      message: expect.stringContaining('may not append to storeIdentity'),
    });
  });
});
