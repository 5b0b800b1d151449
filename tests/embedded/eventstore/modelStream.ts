import { randomUUID } from 'node:crypto';
import { type AppendResult, binaryEvent, type EventData, jsonEvent } from '@eventstore/db-client';
import { expect } from 'vitest';
import { collect, seatsClaimed } from '../../eventstore/support.ts';
import { followStream, type StreamFollower } from './modelFollowers.ts';
import type { Append, StreamOperation } from './modelOperations.ts';
import { type ModelStore, typeOf } from './modelStore.ts';
import * as model from './streamModel.ts';

/** An event that the store has acknowledged. */
export type Written = Readonly<{ id: string; position: bigint }>;

/** A stream of one run: each operation goes to the store and to the model, and their results are compared. */
export type ModelStream = Readonly<{
  apply: (operation: StreamOperation) => Promise<void>;
  /** Compares everything that can be read with the model; subscriptions may take `withinMs`. */
  compare: (withinMs: number) => Promise<void>;
  /** A scavenge has ended. */
  scavenged: () => void;
  /** The ids of the events that are stored, readable or not. */
  stored: () => string[];
  /** Ends the subscription, which a kill would interrupt. */
  unsubscribe: () => Promise<void>;
}>;

/** Credentials make the client use `Append` instead of `BatchAppend`. The server does not check them on a socket. */
const ANYONE = { username: 'anyone', password: 'any' };

export const modelStream = (store: ModelStore, name: string, onWritten: (written: Written) => void): ModelStream => {
  const links = `links-${name}`;
  let state = model.EMPTY;
  /** The event ids by revision. */
  const ids: string[] = [];
  /** The revisions to which the events of `links` link. */
  const linked: number[] = [];
  /** A live subscription after a revision, and the revisions that it must have received. */
  let follower: { received: StreamFollower; expected: number[]; after: number } | undefined;

  /** Replaces the model's state and returns what the store must return. */
  const step = ({ stream, result }: model.Step) => {
    state = stream;
    return result;
  };
  const exact = <E extends model.Expected>(wanted: E | 'exact'): E | number | 'no_stream' => {
    if (wanted !== 'exact') return wanted;
    return state.revision < 0 ? 'no_stream' : state.revision;
  };
  const send = (events: EventData[], wanted: model.Expected, rpc: Append['rpc'] = 'BatchAppend') => {
    const expectedRevision = typeof wanted === 'number' ? BigInt(wanted) : wanted;
    const options = { expectedRevision, ...(rpc === 'Append' && { credentials: ANYONE }) };
    return store.retried<AppendResult | string>((client) => client.appendToStream(name, events, options).catch(typeOf));
  };
  /** The last revision, or the type of the error. The client reports revision 0 for a stream that has no event. */
  const resultOf = (sent: AppendResult | string) => (typeof sent === 'string' ? sent : Number(sent.nextExpectedRevision));
  const expectResult = (sent: AppendResult | string, result: number | string): void =>
    expect(resultOf(sent)).toBe(result === -1 ? 0 : result);
  const record = (events: readonly EventData[], last: number, sent: AppendResult | string): void => {
    if (typeof sent === 'string' || !sent.position) throw new Error('An append was accepted without a position');
    for (const [index, { id = '' }] of events.entries()) {
      const behind = events.length - 1 - index;
      const revision = last - behind;
      ids[revision] = id;
      onWritten({ id, position: sent.position.commit - BigInt(behind) });
      if (follower && revision > follower.after) follower.expected.push(revision);
    }
  };

  const append = async ({ count, expected, rpc, repeats }: Append): Promise<void> => {
    const events = seatsClaimed(count);
    const wanted = exact(expected);
    const { isDeleted, revision } = state;
    const isRecreation = isDeleted && revision >= 0 && wanted === 'no_stream';
    const result = step(model.append(state, count, wanted, store.now()));
    const sent = await send(events, wanted, rpc);
    expectResult(sent, result);
    // An append without events has no ids by which a repetition is recognized.
    if (typeof result !== 'number' || count === 0) return;
    record(events, result, sent);
    if (!repeats) return;
    const again = await send(events, wanted, rpc);
    if (isRecreation) expect(again).toBe('wrong-expected-version');
    else expect(again).toEqual(sent);
  };
  const appends = async ({ count, expect: expects }: StreamOperation & { kind: 'appends' }): Promise<void> => {
    const first = state.revision;
    const batches = Array.from({ length: count }, () => seatsClaimed(1));
    const wanted = (index: number) => (first + index < 0 ? 'no_stream' : first + index);
    const sent = await Promise.all(batches.map((events, index) => send(events, wanted(expects === 'same' ? 0 : index))));
    const won =
      expects === 'same'
        ? Math.max(
            0,
            sent.findIndex((each) => typeof each !== 'string'),
          )
        : undefined;
    const order = [...batches.keys()].sort((one, other) => Number(other === won) - Number(one === won));
    for (const index of order) {
      const result = step(model.append(state, 1, wanted(expects === 'same' ? 0 : index), store.now()));
      expectResult(sent[index] ?? '', result);
      if (typeof result === 'number') record(batches[index] ?? [], result, sent[index] ?? '');
    }
  };
  const remove = async ({ kind, expected }: StreamOperation & { kind: 'delete' | 'tombstone' }): Promise<void> => {
    const wanted = exact(expected);
    const result = step((kind === 'delete' ? model.remove : model.tombstone)(state, wanted));
    const options = { expectedRevision: typeof wanted === 'number' ? BigInt(wanted) : wanted };
    const sent = await store.retried((client) =>
      (kind === 'delete' ? client.deleteStream(name, options) : client.tombstoneStream(name, options))
        .then(() => 'done')
        .catch(typeOf),
    );
    expect(sent).toBe(typeof result === 'number' ? 'done' : result);
  };
  const limit = async ({ limits }: StreamOperation & { kind: 'limit' }): Promise<void> => {
    const result = step(model.setLimits(state, typeof limits === 'string' ? {} : limits));
    const sent = await store.retried((client) => {
      const metadata =
        limits === 'not JSON'
          ? binaryEvent({ type: '$metadata', data: Buffer.from('{"$maxCount":1}') })
          : jsonEvent({ type: '$metadata', data: { $maxCount: 'one' } });
      const writing =
        typeof limits === 'string' ? client.appendToStream(`$$${name}`, metadata) : client.setStreamMetadata(name, limits);
      return writing.then(() => 'done').catch(typeOf);
    });
    expect(sent).toBe(typeof result === 'number' ? 'done' : result);
  };
  const link = async (revision: number): Promise<void> => {
    const event = binaryEvent({ id: randomUUID(), type: '$>', data: Buffer.from(`${revision}@${name}`) });
    await store.retried((client) => client.appendToStream(links, event));
    linked.push(revision);
  };
  const unsubscribe = async (): Promise<void> => {
    await follower?.received.stop();
    follower = undefined;
  };
  const subscribe = async (from: 'start' | 'end' | number): Promise<void> => {
    await unsubscribe();
    const readable = model.read(state, store.now());
    const after = typeof from === 'number' ? from : -1;
    const expected = from === 'end' || typeof readable === 'string' ? [] : readable.filter((revision) => revision > after);
    follower = { received: await followStream(await store.client(), name, from), expected, after };
  };

  const apply = (each: StreamOperation): Promise<void> => {
    switch (each.kind) {
      case 'append':
        return append(each);
      case 'appends':
        return appends(each);
      case 'delete':
      case 'tombstone':
        return remove(each);
      case 'limit':
        return limit(each);
      case 'link':
        return link(each.revision);
      case 'subscribe':
        return subscribe(each.from);
    }
  };

  const eventsOf = (direction: 'forwards' | 'backwards'): Promise<string | [number, string][]> =>
    store.retried((client) =>
      collect(client.readStream(name, { direction, fromRevision: direction === 'forwards' ? 'start' : 'end' }))
        .then((events) => events.map(({ event }): [number, string] => [Number(event?.revision), event?.id ?? '']))
        .catch(typeOf),
    );
  const compareLinks = async (): Promise<void> => {
    if (linked.length === 0) return;
    const resolved = await store.retried((client) => collect(client.readStream(links, { resolveLinkTos: true })));
    const readable = model.read(state, store.now());
    const isReadable = (revision: number) => typeof readable !== 'string' && readable.includes(revision);
    expect(resolved.map(({ event }) => event?.id)).toEqual(
      linked.map((revision) => (isReadable(revision) ? ids[revision] : undefined)),
    );
  };
  const compare = async (withinMs: number): Promise<void> => {
    const readable = model.read(state, store.now());
    const wanted = typeof readable === 'string' ? readable : readable.map((revision) => [revision, ids[revision]]);
    const [forwards, backwards] = await Promise.all([eventsOf('forwards'), eventsOf('backwards'), compareLinks()]);
    expect(forwards).toEqual(wanted);
    expect(backwards).toEqual(typeof wanted === 'string' ? wanted : wanted.toReversed());
    if (!follower) return;
    const { received, expected } = follower;
    await received.reach(expected.length, withinMs);
    expect(received.items).toEqual(expected);
    if (state.isTombstoned) expect(await received.ended).toBe('stream-deleted');
  };
  return {
    apply,
    compare,
    scavenged: () => {
      state = model.scavenged(state, store.now());
    },
    stored: () => state.stored.map((revision) => ids[revision] ?? ''),
    unsubscribe,
  };
};
