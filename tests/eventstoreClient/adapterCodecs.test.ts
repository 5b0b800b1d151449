import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERASED } from '../../src/domain/event.ts';
import type { AnyEvent } from '../../src/domain/events.ts';
import { eventCodec, formerShape, shape } from '../../src/eventstore/codecs/codec.ts';
import { codecs } from '../../src/eventstore/codecs/codecs.ts';
import { createDecoder, type StoredEvent } from '../../src/eventstore/decode.ts';
import { encodeEvent } from '../../src/eventstore/encode.ts';
import type { StreamName } from '../../src/eventstore/port.ts';
import { Unopenable } from '../../src/security/envelope.ts';
import { VaultUnavailable } from '../../src/security/vault.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import { everyEvent } from '../support/builders/everyEvent.ts';
import { customerIdOf, userIdOf } from '../support/builders/ids.ts';
import { fixedSealing } from '../support/fixedSealing.ts';

type Fixture = { stream: StreamName; metadata: Record<string, unknown>; stored: Record<string, unknown>; opened: AnyEvent['data'] };

const fixtureFile = (type: string, version: number) => new URL(`fixtures/${type}.v${version}.json`, import.meta.url);
const fixtureOf = (type: string, version = 1): Fixture => JSON.parse(readFileSync(fixtureFile(type, version), 'utf8'));

const versions = Object.entries(codecs).flatMap(([category, { events }]) =>
  Object.entries(events).flatMap(([type, codec]) =>
    Object.keys(codec.shapes).map((version) => ({ category, type, codec, version: Number(version) })),
  ),
);
const examples = Object.values(everyEvent).flatMap((events): readonly AnyEvent[] => Object.values(events));

const sealedFieldsOf = (type: string): readonly string[] => {
  const codec = versions.find((known) => known.type === type)?.codec;
  return codec?.shapes[codec.version]?.sealed ?? [];
};

/** Whether the data stand in the store in another form than events have them. */
const isRearranged = (type: string): boolean => {
  const codec = versions.find((known) => known.type === type)?.codec;
  return codec?.shapes[codec.version]?.store !== undefined;
};

const newestOf = (type: string): number => versions.find((known) => known.type === type)?.codec.version ?? 1;

const storedAs = (type: string, overrides: Partial<StoredEvent> = {}): StoredEvent => {
  const { stream, metadata, stored } = fixtureOf(type, newestOf(type));
  return { id: 'event-1', streamId: stream, type, revision: 3n, position: { commit: 42n }, data: stored, metadata, ...overrides };
};

const decode = createDecoder(fixedSealing);
const bytesOf = (data: unknown): Buffer => (data instanceof Uint8Array ? Buffer.from(data) : Buffer.from(JSON.stringify(data)));

describe('every version of every event', () => {
  it.each(versions)('$type v$version is decoded from its stored form', async ({ type, version }) => {
    expect(existsSync(fixtureFile(type, version))).toBe(true);
    const { stream, stored, metadata, opened } = fixtureOf(type, version);
    const decoded = await decode(storedAs(type, { streamId: stream, data: stored, metadata }));
    expect(decoded).toMatchObject({
      kind: 'event',
      recorded: { stream, revision: 3n, position: 42n, event: { type, data: opened } },
    });
  });

  it.each(versions.filter(({ codec, version }) => version === codec.version))(
    '$type v$version is written as it was stored',
    async ({ type, version, codec }) => {
      const { stream, stored, metadata, opened } = fixtureOf(type, version);
      const event = { type, data: opened } as AnyEvent;
      const encoded = await encodeEvent(fixedSealing, stream, event, metaOf());
      expect(encoded).toMatchObject({ type });
      expect(JSON.parse(bytesOf(encoded.metadata).toString())).toEqual(metadata);
      const data: Record<string, unknown> = JSON.parse(bytesOf(encoded.data).toString());
      const sealed = codec.shapes[version]?.sealed ?? [];
      const plain = (fields: Record<string, unknown>) => Object.entries(fields).filter(([name]) => !sealed.includes(name));
      expect(Object.keys(data)).toEqual(Object.keys(stored));
      expect(JSON.stringify(plain(data))).toBe(JSON.stringify(plain(stored)));
      expect(await decode(storedAs(type, { streamId: stream, data }))).toMatchObject({ recorded: { event: { data: opened } } });
    },
  );
});

describe('a sealed field', () => {
  it.each(examples)('of $type is not part of the stored bytes', async ({ type, data }) => {
    const { stream } = fixtureOf(type);
    const sealed = sealedFieldsOf(type);
    const secret = (name: string) => `A text of ${name} that no chance writes`;
    const markedAs = (name: string, value: unknown) => (Array.isArray(value) ? [secret(name)] : secret(name));
    const marked = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, sealed.includes(name) ? markedAs(name, value) : value]),
    );
    const encoded = await encodeEvent(fixedSealing, stream, { type, data: marked } as AnyEvent, metaOf());
    const bytes = bytesOf(encoded.data).toString();
    for (const name of sealed) expect(bytes).not.toContain(secret(name));
    if (isRearranged(type)) return;
    for (const [name, value] of Object.entries(data)) if (!sealed.includes(name)) expect(bytes).toContain(JSON.stringify(value));
  });

  it('is delivered as ciphertext, beside its plaintext', async () => {
    const { stored } = fixtureOf('LicenseKeyRotated');
    expect(await decode(storedAs('LicenseKeyRotated'))).toMatchObject({
      recorded: { sealed: { licenseKey: stored.licenseKey }, event: { data: { licenseKey: 'LK-ENT-CCCC-DDDDD' } } },
    });
  });

  it('reads as erased when its data key was destroyed', async () => {
    const erased = createDecoder({ open: () => ERASED });
    expect(await erased(storedAs('UserRegistered'))).toMatchObject({
      recorded: { event: { data: { username: ERASED, email: ERASED, machineId: ERASED, machineName: ERASED, role: 'developer' } } },
    });
  });

  it('does not open in the stream of another customer', async () => {
    const moved = storedAs('LicenseIssued', { streamId: `customer-${customerIdOf('rival')}` });
    expect(await decode(moved)).toMatchObject({ kind: 'undecodable', undecodable: { type: 'LicenseIssued', revision: 3n } });
  });
});

describe('an event that cannot be decoded', () => {
  const reasonOf = async (stored: StoredEvent): Promise<string | null> => {
    const decoded = await decode(stored);
    return decoded.kind === 'undecodable' ? decoded.undecodable.reason : null;
  };

  it('is reported with the reason', async () => {
    const { stored, metadata } = fixtureOf('SeatsAllocated');
    expect(await reasonOf(storedAs('SeatsAllocated', { streamId: 'customer-1' }))).toBeNull();
    expect(await reasonOf(storedAs('SeatsAllocated', { type: 'SeatsImagined' }))).toBe('No codec for SeatsImagined');
    expect(await reasonOf(storedAs('SeatsAllocated', { streamId: 'unknown-1' }))).toBe('No codec for SeatsAllocated');
    expect(await reasonOf(storedAs('SeatsAllocated', { streamId: 'integrator-1' }))).toBe('No codec for SeatsAllocated');
    expect(await reasonOf(storedAs('SeatsAllocated', { metadata: { ...metadata, codec: 99 } }))).toContain('version 99');
    expect(await reasonOf(storedAs('SeatsAllocated', { metadata: undefined }))).toBe('No metadata');
    expect(await reasonOf(storedAs('SeatsAllocated', { metadata: { ...metadata, actor: { kind: 'ghost', id: '' } } }))).toContain(
      'metadata',
    );
    expect(await reasonOf(storedAs('SeatsAllocated', { data: { ...stored, more: 1 } }))).toContain('more');
    expect(await reasonOf(storedAs('SeatsAllocated', { data: { ...stored, developerSeats: '10' } }))).toContain('developerSeats');
    expect(await reasonOf(storedAs('SeatsAllocated', { data: new TextEncoder().encode('{') }))).toContain('JSON');
    expect(await reasonOf(storedAs('LicenseIssued', { data: { licenseKey: 'open', tier: 'ENT' } }))).toContain('envelope');
    expect(await reasonOf(storedAs('LicenseIssued', { data: 'text' }))).toBe('The data is not an object');
  });

  it('is reported for an unsealed field even while the data key of another field is unavailable', async () => {
    const unhandled: unknown[] = [];
    const onRejection = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', onRejection);
    const outage = createDecoder({ open: () => Promise.reject(new VaultUnavailable('down')) });
    const { stored } = fixtureOf('CustomerRegistered');
    const decoded = await outage(storedAs('CustomerRegistered', { data: { ...stored, contactEmail: 1 } }));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onRejection);
    expect(decoded).toMatchObject({ kind: 'undecodable', undecodable: { reason: 'contactEmail is not encrypted' } });
    expect(unhandled).toEqual([]);
  });

  it('is distinguished from an unreachable vault', async () => {
    const never = createDecoder({ open: () => Promise.reject(new Unopenable('gone')) });
    expect(await never(storedAs('LicenseIssued'))).toMatchObject({ kind: 'undecodable', undecodable: { reason: 'gone' } });
    const outage = createDecoder({ open: () => Promise.reject(new VaultUnavailable('down')) });
    await expect(outage(storedAs('LicenseIssued'))).rejects.toThrow(VaultUnavailable);
  });

  it('is never written', async () => {
    const event = { type: 'SeatsAllocated', data: { developerSeats: 1.5, stakeholderSeats: 5 } } as AnyEvent;
    await expect(encodeEvent(fixedSealing, `customer-${customerIdOf()}`, event, metaOf())).rejects.toThrow();
    const foreign = { type: 'SeatsAllocated', data: { developerSeats: 1, stakeholderSeats: 5 } } as AnyEvent;
    await expect(encodeEvent(fixedSealing, 'themes-1', foreign, metaOf())).rejects.toThrow('No codec');
  });

  it('is rejected for a wrong value in any field of ApiCallsRecorded', async () => {
    const { stored } = fixtureOf('ApiCallsRecorded', 2);
    const [flush, other] = stored.flushes as readonly Record<string, unknown>[];
    const changed = (change: Record<string, unknown>) => ({ flushes: [{ ...flush, ...change }, other] });
    const refusalOf = (change: Record<string, unknown>) =>
      reasonOf(storedAs('ApiCallsRecorded', { data: { ...stored, ...change } }));
    expect(await refusalOf({})).toBeNull();
    const wrong: Record<string, unknown>[] = [
      { customerId: 'x' },
      { flushes: flush },
      { flushes: [flush] },
      { flushes: [flush, other, other] },
      { flushes: [flush, null] },
      changed({ userId: null }),
      changed({ sourceId: 1 }),
      changed({ firstSequence: 1.5 }),
      changed({ count: 1.5 }),
      changed({ count: 2 }),
      changed({ more: 1 }),
      { more: 1 },
      { instances: [['gitlab', 'https://acme.example']] },
      { instances: [['jira']] },
      { operations: [7] },
      { from: 'yesterday' },
      { instance: [0, null, 2, 0] },
      { instance: [0, null, 1] },
      { instance: 'none' },
      { operation: [0, 0, 2, 0] },
      { operation: [0, 0, -1, 0] },
      { status: [200, 0, '404', 0] },
      { durationMs: [42, 0, 1.5, 7] },
      { after: [0, 0, 250] },
      { after: [0, 0, 250, null] },
      { failed: [1] },
      { failed: [4] },
      { failed: [2, 0] },
    ];
    for (const change of wrong) expect(await refusalOf(change), JSON.stringify(change)).toContain('ApiCallsRecorded');
  });

  it('is rejected in the former version of ApiCallsRecorded too', async () => {
    const { stored, metadata } = fixtureOf('ApiCallsRecorded', 1);
    const refusalOf = (change: Record<string, unknown>) =>
      reasonOf(storedAs('ApiCallsRecorded', { metadata, data: { ...stored, ...change } }));
    expect(await refusalOf({})).toBeNull();
    const wrong = [{ userId: null }, { sourceId: 1 }, { firstSequence: 1.5 }, { more: 1 }, { flushes: [] }, { operation: [0, 0] }];
    for (const change of wrong) expect(await refusalOf(change), JSON.stringify(change)).toContain('ApiCallsRecorded');
  });

  it('is never written for ApiCallsRecorded', async () => {
    const { stream } = fixtureOf('ApiCallsRecorded');
    const { customerId, flushes } = apiCallsRecorded().data;
    const writing = (change: Record<string, unknown>, customer: Record<string, unknown> = {}) => {
      const data = { customerId, flushes: [...flushes, { ...flushes[0], ...change }], ...customer };
      return encodeEvent(fixedSealing, stream, { type: 'ApiCallsRecorded', data } as AnyEvent, metaOf());
    };
    await writing({ calls: [] });
    const changes = [{ service: 'gitlab' }, { operation: 1 }, { ok: 'yes' }, { status: 0 }, { durationMs: -1 }, { at: 'now' }];
    for (const change of changes) await expect(writing({ calls: [recordedCall(change as never)] })).rejects.toThrow('ApiCalls');
    for (const change of [{ userId: 'x' }, { sourceId: 1 }, { firstSequence: -1 }, { calls: 'none' }, { calls: [7] }])
      await expect(writing(change)).rejects.toThrow('ApiCalls');
    for (const change of [{ customerId: 'x' }, { flushes: 'none' }, { flushes: [null] }])
      await expect(writing({}, change)).rejects.toThrow('ApiCalls');
  });
});

describe('ApiCallsRecorded', () => {
  const call = fc.record({
    service: fc.constantFrom('jira', 'azdo', 'confluence'),
    instanceUrl: fc.constantFrom('https://one.example', 'https://two.example', '__proto__'),
    operation: fc.oneof(fc.constantFrom('GET:/issue', 'constructor'), fc.string()),
    ok: fc.boolean(),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    durationMs: fc.nat(86_400_000),
    at: fc.date({ min: new Date('1999-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
  });

  const flush = fc.record({
    userId: fc.constantFrom(userIdOf('ada'), userIdOf('bob')),
    sourceId: fc.oneof(fc.constant('laptop'), fc.string()),
    firstSequence: fc.nat(),
    calls: fc.array(fc.option(call), { maxLength: 40 }),
  });

  it('is decoded as it was encoded, with any flushes and calls', async () => {
    const { stream, metadata } = fixtureOf('ApiCallsRecorded', 2);
    await fc.assert(
      fc.asyncProperty(fc.array(flush, { maxLength: 5 }), async (flushes) => {
        const data = { customerId: customerIdOf(), flushes };
        const encoded = await encodeEvent(fixedSealing, stream, { type: 'ApiCallsRecorded', data } as AnyEvent, metaOf());
        const decoded = await decode(storedAs('ApiCallsRecorded', { data: encoded.data, metadata }));
        expect(decoded).toMatchObject({ kind: 'event', recorded: { event: { data } } });
      }),
    );
  });
});

describe('an event with a new shape', () => {
  it('is decoded from its former shape', () => {
    const former = z.strictObject({ seats: z.int() });
    const today = z.strictObject({ developerSeats: z.int(), stakeholderSeats: z.int() });
    const codec = eventCodec({
      1: formerShape(former, [], ({ seats }) => ({ developerSeats: seats, stakeholderSeats: 0 })),
      2: shape(today),
    });
    expect(codec.version).toBe(2);
    expect(codec.shapes[1]?.parse({ seats: 3 })).toEqual({ developerSeats: 3, stakeholderSeats: 0 });
    expect(codec.shapes[2]?.parse({ developerSeats: 3, stakeholderSeats: 1 })).toEqual({ developerSeats: 3, stakeholderSeats: 1 });
  });
});
