import { describe, expect, it, onTestFinished } from 'vitest';
import { createAppendRpc } from '../../../src/eventstore/appendRpc.ts';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientInternals } from '../../../src/eventstore/clientInternals.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { createDecoder } from '../../../src/eventstore/decode.ts';
import { createLeaderCheck } from '../../../src/eventstore/leaderCheck.ts';
import { subscribeToAll } from '../../../src/eventstore/subscription.ts';
import { seatClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { fixedSealing } from '../../support/fixedSealing.ts';
import { appendTo, newCustomerStream, openAdapter, openFake } from './support.ts';

/** A client that has another name for one of its protected members, as a new version may. */
const withoutInternals = (url: string) => {
  const client = clientOf(url);
  const proxy = new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'GRPCStreamCreator') return undefined;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  onTestFinished(() => closeClient(client));
  return proxy;
};

describe('a client without one of the protected members', () => {
  it('is recognized', async () => {
    expect(clientInternals(withoutInternals('esdb://127.0.0.1:1?tls=false'))).toBeNull();
  });

  it('appends by the public API, also if the clock of the store is ahead', async () => {
    const fake = await openFake();
    fake.script.clockAheadMs = 60_000;
    const append = createAppendRpc();
    const options = { expected: 'no_stream', deadlineMs: 10_000 } as const;
    const stream = newCustomerStream();
    expect(await append(withoutInternals(fake.url), stream, [seatClaimed(1)], options)).toMatchObject({ success: true });
    expect(fake.events).toMatchObject([{ stream, revision: 0 }]);
  });

  it('subscribes by the public API', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    const stream = newCustomerStream();
    await appendTo(events, stream, 3);
    const subscription = subscribeToAll(
      {
        connect: () => withoutInternals(fake.url),
        requiresLeader: true,
        leaderCheck: createLeaderCheck(60_000),
      },
      { after: null, categories: ['customer'] },
      createDecoder(fixedSealing),
    );
    const seen: string[] = [];
    const ended = (async () => {
      for await (const item of subscription) seen.push(item.kind === 'event' ? String(item.recorded.revision) : item.kind);
    })();
    await until(() => seen.includes('caughtUp'));
    await appendTo(events, stream, 2);
    await until(() => seen.includes('4'));
    expect(seen.filter((item) => item !== 'caughtUp')).toEqual(['0', '1', '2', '3', '4']);
    await subscription.close();
    await ended;
  });
});
