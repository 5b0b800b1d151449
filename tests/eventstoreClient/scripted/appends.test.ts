import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { EventStoreUnavailable } from '../../../src/eventstore/port.ts';
import { until } from '../../support/eventually.ts';
import { failures, replies } from '../../support/fakeEventStoreMessages.ts';
import { appendTo, failureOf, newCustomerStream, openAdapter, openFake } from './support.ts';

describe('an append with an unknown outcome', () => {
  it.each(['Timeout', 'no reply, as on a half-open connection'])(
    'is retried with the same event ids and stored once: %s',
    async (kind) => {
      const fake = await openFake();
      const ids: (string | undefined)[] = [];
      const connections: string[] = [];
      fake.script.storesAnswered = true;
      fake.script.append = (request, attempt, call) => {
        connections.push(call.getPeer());
        ids.push(request.getProposedMessagesList()[0]?.getId()?.getString());
        if (attempt > 1) return undefined;
        return kind === 'Timeout' ? replies.timeout(request) : 'silence';
      };
      const events = openAdapter(fake.url, { attemptTimeoutMs: kind === 'Timeout' ? 30_000 : 2_000, retryTimeoutMs: 60_000 });
      expect(await appendTo(events, newCustomerStream(), 2)).toMatchObject({ ok: true, revision: 1n });
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
      expect(fake.events).toHaveLength(2);
      // A store that replies has a working connection, which other calls use.
      expect(new Set(connections).size).toBe(kind === 'Timeout' ? 1 : 2);
    },
  );

  it('ends its call, so that a second reply is not taken for that to the next append', async () => {
    const fake = await openFake();
    const timedOut = new Map<unknown, BatchAppendReq>();
    let appends = 0;
    fake.script.storesAnswered = true;
    fake.script.append = (request, attempt, call) => {
      appends = attempt;
      const before = timedOut.get(call);
      if (before) return [replies.success(before, fake.events.at(-1)), replies.success(request, fake.events.at(-1))];
      if (attempt > 1) return undefined;
      timedOut.set(call, request);
      return replies.timeout(request);
    };
    const events = openAdapter(fake.url);
    const stream = newCustomerStream();
    expect(await appendTo(events, stream)).toMatchObject({ ok: true, revision: 0n });
    expect(await appendTo(events, stream)).toMatchObject({ ok: true, revision: 1n });
    expect(appends).toBe(3);
    await until(() => fake.appendCalls() === 1);
  });

  it('does not disturb the appends beside and after it when the store replies twice', async () => {
    const fake = await openFake();
    fake.script.storesAnswered = true;
    fake.script.append = (request, attempt) =>
      attempt === 1 ? [replies.timeout(request), replies.success(request, fake.events.at(-1))] : undefined;
    const events = openAdapter(fake.url);
    const [one, other] = [newCustomerStream(), newCustomerStream()];
    expect(await Promise.all([appendTo(events, one), appendTo(events, other)])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await appendTo(events, one)).toMatchObject({ ok: true, revision: 1n });
    expect(fake.events).toHaveLength(3);
  });

  it('is reported as such when the store never commits in time', async () => {
    const fake = await openFake();
    fake.script.append = (request) => replies.timeout(request);
    const events = openAdapter(fake.url, { retryTimeoutMs: 200 });
    const failure = await failureOf(appendTo(events, newCustomerStream()));
    expect(failure).toBeInstanceOf(EventStoreUnavailable);
    expect(failure).toMatchObject({ outage: 'timeout' });
    expect(await events.examine()).toMatchObject({ outage: { kind: 'timeout' } });
    fake.script.append = () => undefined;
    await appendTo(events, newCustomerStream());
    expect(await events.examine()).toMatchObject({ outage: null });
  });
});

describe('an append without the right to write', () => {
  it.each(['in the reply', 'by the end of the call'])('fails immediately and says what is missing: %s', async (kind) => {
    const fake = await openFake();
    let attempts = 0;
    fake.script.append = (request, attempt) => {
      attempts = attempt;
      return kind === 'in the reply' ? replies.accessDenied(request) : failures.accessDenied();
    };
    const events = openAdapter(fake.url);
    const stream = newCustomerStream();
    const failure = await failureOf(appendTo(events, stream));
    expect(failure).toMatchObject({ name: 'EventStoreUnavailable', outage: 'access_denied' });
    const text = expect.stringMatching(new RegExp(`may not append to ${stream}\\. Add it to \\$w of \\$userStreamAcl`));
    expect(failure).toMatchObject({ message: text });
    expect(attempts).toBe(1);
    expect(await events.examine()).toMatchObject({ outage: { kind: 'access_denied', text } });
  });
});

describe('calls that decisions depend on', () => {
  it('require the leader', async () => {
    const fake = await openFake();
    const required: unknown[] = [];
    fake.script.append = (_request, _attempt, { metadata }) => void required.push(metadata.get('requires-leader')[0]);
    fake.script.read = (_request, headers) => void required.push(headers.get('requires-leader')[0]);
    const events = openAdapter(`${fake.url}&nodePreference=follower`);
    const stream = newCustomerStream();
    await appendTo(events, stream);
    for await (const _ of events.read(stream));
    await events.head();
    expect(required.length).toBeGreaterThanOrEqual(3);
    expect(new Set(required)).toEqual(new Set(['true']));
  });

  it('follow an election to the new leader', async () => {
    const [former, leader] = [await openFake(), await openFake()];
    const events = openAdapter(former.url);
    const stream = newCustomerStream();
    await appendTo(events, stream);
    former.script.append = () => failures.notLeader(leader.port);
    former.script.read = () => failures.notLeader(leader.port);
    for (const { stream: name, type, data, metadata } of former.events) leader.add(name, type, data, metadata);
    expect(await appendTo(events, stream)).toMatchObject({ ok: true, revision: 1n });
    const revisions: bigint[] = [];
    for await (const { revision } of events.read(stream)) revisions.push(revision);
    expect(revisions).toEqual([0n, 1n]);
    expect(leader.events).toHaveLength(2);
  });
});

describe('a read past every possible revision', () => {
  it('is empty without a call, because EventStoreDB 23.10 replies with an unspecific error', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    const stream = newCustomerStream();
    await appendTo(events, stream);
    fake.script.read = () => failures.unexpectedResult();
    const revisions: bigint[] = [];
    for await (const { revision } of events.read(stream, { from: 2n ** 63n })) revisions.push(revision);
    expect(revisions).toEqual([]);
  });
});

describe('a store whose clock differs', () => {
  it.each([60_000, -60_000, 0])('by %s ms takes appends, and the difference is measured', async (aheadMs) => {
    const fake = await openFake();
    fake.script.clockAheadMs = aheadMs;
    const events = openAdapter(fake.url);
    expect((await events.examine()).clockSkewMs).toBeNull();
    await appendTo(events, newCustomerStream());
    await until(async () => (await events.examine()).clockSkewMs !== null);
    const measured = (await events.examine()).clockSkewMs ?? 0;
    expect(Math.abs(measured)).toBeLessThanOrEqual(Math.abs(aheadMs));
    expect(Math.sign(measured) || 0).toBe(Math.sign(aheadMs));
  });
});
