import { afterAll, describe, expect, it } from 'vitest';
import { createEventStore } from '../../../src/eventstore/adapter.ts';
import { type Notice, startRunner } from '../../../src/projections/engine/runner.ts';
import { openFakeEventStore } from '../../support/fakeEventStore.ts';
import { failures } from '../../support/fakeEventStoreMessages.ts';
import { eventually, openFixture, plans, runnerDeps, settled } from '../fixture.ts';
import { newCustomer } from '../tenants.ts';

const fake = await openFakeEventStore();
afterAll(fake.close);

const fixture = openFixture((sealing) => createEventStore({ url: fake.url, sealing, retryTimeoutMs: 50 }));

type Lost = Notice & { kind: 'lost' };

const LONGEST_PAUSE_MS = 2_000;
/** The smallest random number halves every pause. */
const random = (): number => 0;
/** After as many failures the pause would exceed the longest one if the event store had not caused them. */
const FAILURES = 6;

describe('read models on an event store that lost its quorum', () => {
  it('try again at least every two seconds, and have every event once it is back', async () => {
    const lost: Lost[] = [];
    const onNotice = (notice: Notice): void => {
      if (notice.kind === 'lost') lost.push(notice);
    };
    const runner = startRunner(plans.main, { ...runnerDeps(fixture, onNotice), random });
    try {
      const before = await newCustomer(fixture);
      await settled(fixture, 'read', before.position);
      fake.script.read = () => failures.notReady();
      fake.endSubscriptions(failures.notReady());
      await eventually(async () => lost.length >= FAILURES);
      expect(lost.map(({ error }) => error)).toEqual(lost.map(() => expect.objectContaining({ outage: 'no_leader' })));
      expect(Math.max(...lost.map(({ retryInMs }) => retryInMs))).toBe(LONGEST_PAUSE_MS / 2);
      fake.script.read = () => undefined;
      const after = await newCustomer(fixture);
      await settled(fixture, 'read', after.position);
      expect(await fixture.queries.customers.get(after.customerId)).not.toBeNull();
    } finally {
      await runner.stop();
    }
  });
});
