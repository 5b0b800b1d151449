import { randomUUID } from 'node:crypto';
import { streams } from '../../src/commands/streams.ts';
import { customerId, integratorId, userId } from '../../src/contracts/fields.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import { SERVICES } from '../../src/domain/enumerations.ts';
import type { AnyEvent } from '../../src/domain/events.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import { DAY_MS, dayOf } from '../../src/domain/time.ts';
import type { EventStore, StreamName } from '../../src/eventstore/port.ts';
import { metaOf } from '../../tests/support/builders/command.ts';
import {
  licenseIssued,
  licenseKeyRotated,
  seatLimitsEnforced,
  seatsAllocated,
  themeAssigned,
} from '../../tests/support/builders/customer.ts';

const CONCURRENT_APPENDS = 64;
const USERS = 3;
const DAYS = 30;

const license = (): string => `LK-ENT-${randomUUID().slice(0, 4).toUpperCase()}-${randomUUID().slice(0, 5).toUpperCase()}`;

/** The 19 events of a customer's stream. */
const customerEvents = (id: CustomerId, integrator: IntegratorId, index: number): AnyEvent[] => {
  const details = { name: `Customer ${index}`, contactEmail: `it@customer-${index}.example`, company: `Company ${index}` };
  const users = Array.from({ length: USERS }, (_, user) => ({ userId: userId.parse(randomUUID()), name: `user-${user}` }));
  return [
    { type: 'CustomerRegistered', data: { customerId: id, integratorId: integrator, ...details } },
    licenseIssued(license()),
    seatsAllocated(),
    seatLimitsEnforced(),
    themeAssigned(),
    ...users.flatMap(({ userId: user, name }): AnyEvent[] => [
      {
        type: 'UserRegistered',
        data: {
          userId: user,
          username: name,
          email: `${name}@customer-${index}.example`,
          role: 'developer',
          machineId: `machine-${name}`,
          machineName: null,
        },
      },
      { type: 'SeatClaimed', data: { userId: user, kind: 'developer' } },
      { type: 'UserDeactivated', data: { userId: user, reason: null } },
      { type: 'SeatReleased', data: { userId: user, kind: 'developer', reason: 'deactivated' } },
    ]),
    licenseKeyRotated(license()),
    { type: 'CustomerDetailsChanged', data: details },
  ];
};

const callsOn = (at: number, count: number): RecordedCall[] =>
  Array.from({ length: count }, (_, index) => ({
    service: SERVICES[index % SERVICES.length] ?? 'jira',
    instanceUrl: `https://team-${index % 2}.example`,
    operation: `GET:/thing-${index % 5}`,
    ok: index % 50 !== 0,
    status: index % 50 === 0 ? 500 : 200,
    durationMs: 20 + ((index * 37) % 180),
    at: new Date(at + index * 7).toISOString(),
  }));

/** Runs `work` for each item with `CONCURRENT_APPENDS` workers. */
const forEachConcurrently = async <Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item === undefined) throw new Error('The items must not contain undefined');
      await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_APPENDS }, worker));
};

/** Appends as one request of its own. */
const appendTo = async (events: EventStore, stream: StreamName, toAppend: readonly AnyEvent[], at: number): Promise<void> => {
  const meta = metaOf({ at: new Date(at).toISOString(), correlationId: randomUUID() });
  const appended = await events.append(stream, toAppend, { expected: 'any', meta });
  if (!appended.ok) throw new Error(`${stream} rejected its events`);
};

export type SeededEvents = { plainEvents: number; callBatches: number; calls: number };

/** Fills an empty event store with customers and with batches of their API calls over the last month. */
export const seedEvents = async (
  events: EventStore,
  { customers, batches, batch }: { customers: number; batches: number; batch: number },
): Promise<SeededEvents> => {
  const now = Date.now();
  const integrator = integratorId.parse(randomUUID());
  const contact = { companyName: 'Contoso', contactEmail: 'it@contoso.example', billingEmail: 'bills@contoso.example' };
  await appendTo(
    events,
    streams.integrator(integrator),
    [{ type: 'IntegratorRegistered', data: { integratorId: integrator, ...contact } }],
    now,
  );
  const ids = Array.from({ length: customers }, () => customerId.parse(randomUUID()));
  let plainEvents = 1;
  await forEachConcurrently(ids, async (id, index) => {
    const toAppend = customerEvents(id, integrator, index);
    plainEvents += toAppend.length;
    await appendTo(events, streams.customer(id), toAppend, now - DAYS * DAY_MS + index);
  });
  const user = userId.parse(randomUUID());
  const daily = Array.from({ length: DAYS }, (_, day) => callsOn(now - (day + 1) * DAY_MS, batch));
  const sequences = new Map<CustomerId, number>();
  await forEachConcurrently([...Array(batches).keys()], async (index) => {
    const id = ids[index % Math.min(100, ids.length)];
    if (!id) return;
    const firstSequence = sequences.get(id) ?? 1;
    sequences.set(id, firstSequence + batch);
    const day = Math.floor((index / batches) * DAYS);
    const flush = { userId: user, sourceId: 'laptop', firstSequence, calls: daily[day] ?? [] };
    const data = { customerId: id, flushes: [flush] };
    const at = now - (day + 1) * DAY_MS;
    await appendTo(events, streams.apiCalls(id, dayOf(at)), [{ type: 'ApiCallsRecorded', data }], at);
  });
  return { plainEvents, callBatches: batches, calls: batches * batch };
};
