import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { openProduct } from '../../src/bootstrap/product.ts';
import { streams } from '../../src/commands/streams.ts';
import { credentialId, customerId, integratorId, themeId, userId } from '../../src/contracts/fields.ts';
import type { AnyEvent } from '../../src/domain/events.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import type { EventStore, StreamName } from '../../src/eventstore/port.ts';
import { metaOf } from '../../tests/support/builders/command.ts';
import { customerRegistered, licenseIssued, seatLimitsEnforced, seatsAllocated } from '../../tests/support/builders/customer.ts';
import { integratorRegistered, masterLicenseIssued } from '../../tests/support/builders/integrator.ts';
import { themeCreated } from '../../tests/support/builders/theme.ts';

/** The length of each list. */
export type Lengths = {
  customers: number;
  integrators: number;
  users: number;
  history: number;
  credentials: number;
  themes: number;
};

/** The owners of the long lists and their license keys. */
export type BigLists = { masterLicenseKey: string; licenseKey: string; customerId: CustomerId; integratorId: IntegratorId };

const CONCURRENT_APPENDS = 32;
const EVENTS_PER_APPEND = 500;
const STEP_MS = 1_000;

const FIRST = ['Northern', 'Silver', 'Bright', 'United', 'Coastal', 'Summit', 'Granite', 'Evergreen', 'Harbor', 'Pioneer'];
const SECOND = ['Freight', 'Robotics', 'Foods', 'Energy', 'Textiles', 'Optics', 'Bank', 'Studios', 'Clinics', 'Airways'];

/** A name such as "Silver Optics 4711", where the number is the customer's index. */
export const nameOf = (index: number): string => `${FIRST[index % 10]} ${SECOND[Math.floor(index / 10) % 10]} ${index}`;

const keyOf = (kind: 'ENT' | 'SI', index: number): string =>
  `LK-${kind}-${(index + 0xabcd0).toString(16).toUpperCase().slice(-4)}-${(index + 0xabcd0).toString(16).toUpperCase().padStart(5, '0')}`;

type Writer = (stream: StreamName, toAppend: readonly AnyEvent[], at: number) => Promise<void>;

const writerOf =
  (events: EventStore): Writer =>
  async (stream, toAppend, at) => {
    for (let from = 0; from < toAppend.length; from += EVENTS_PER_APPEND) {
      const meta = metaOf({ at: new Date(at).toISOString() });
      const appended = await events.append(stream, toAppend.slice(from, from + EVENTS_PER_APPEND), { expected: 'any', meta });
      if (!appended.ok) throw new Error(`${stream} rejected its events`);
    }
  };

const concurrently = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENT_APPENDS }, worker));
};

const customerEvents = (id: CustomerId, integrator: IntegratorId, index: number): AnyEvent[] => [
  customerRegistered({
    customerId: id,
    integratorId: integrator,
    name: nameOf(index),
    contactEmail: `it@customer-${index}.example`,
    company: `Company ${index}`,
  }),
  licenseIssued(keyOf('ENT', index)),
  seatsAllocated({ developerSeats: index === 0 ? -1 : 10, stakeholderSeats: 5 }),
  seatLimitsEnforced(),
];

const userEvents = (index: number): AnyEvent[] => {
  const id = userId.parse(randomUUID());
  const username = `user-${index}`;
  const machine = { machineId: `machine-${index}`, machineName: null };
  const person = { email: `${username}@customer-0.example`, role: 'developer' as const, ...machine };
  return [
    { type: 'UserRegistered', data: { userId: id, username, ...person } },
    { type: 'SeatClaimed', data: { userId: id, kind: 'developer' } },
  ];
};

/** Fills an empty event store. One integrator owns all customers and themes; its first customer owns all users, history and credentials. */
const write = async (events: EventStore, lengths: Lengths): Promise<BigLists> => {
  const append = writerOf(events);
  const begun = Date.now() - lengths.customers * STEP_MS;
  const integrator = integratorId.parse(randomUUID());
  const masterLicenseKey = keyOf('SI', 0);
  const ids = Array.from({ length: lengths.customers }, () => customerId.parse(randomUUID()));
  const [first] = ids;
  if (!first) throw new Error('There has to be a customer');

  const themes = Array.from({ length: lengths.themes }, (_, index) =>
    themeCreated(`theme-${index}`, { themeId: themeId.parse(randomUUID()), displayName: `Theme ${index}` }),
  );
  await append(
    streams.integrator(integrator),
    [
      integratorRegistered({ integratorId: integrator, companyName: 'Contoso' }),
      masterLicenseIssued(masterLicenseKey),
      ...ids.map((id): AnyEvent => ({ type: 'CustomerEnrolled', data: { customerId: id } })),
    ],
    begun,
  );
  if (themes.length > 0) await append(streams.themes(integrator), themes, begun);
  await concurrently(lengths.integrators, async (index) => {
    const id = integratorId.parse(randomUUID());
    const registered = integratorRegistered({ integratorId: id, companyName: nameOf(index) });
    await append(streams.integrator(id), [registered, masterLicenseIssued(keyOf('SI', index + 1))], begun + index);
  });
  await concurrently(ids.length, async (index) => {
    const id = ids[index] ?? first;
    await append(streams.customer(id), customerEvents(id, integrator, index), begun + index * STEP_MS);
  });
  const users = Array.from({ length: lengths.users }, (_, index) => userEvents(index)).flat();
  await append(streams.customer(first), users, begun + STEP_MS);
  const changes = Array.from({ length: lengths.history }, (_, index) =>
    seatsAllocated({ developerSeats: -1, stakeholderSeats: 5 + (index % 2) }),
  );
  await append(streams.customer(first), changes, begun + 2 * STEP_MS);
  await concurrently(lengths.credentials, async (index) => {
    const id = credentialId.parse(randomUUID());
    const login = { username: `robot-${index}`, password: 'secret', apiToken: null, expiresAt: null };
    const data = {
      credentialId: id,
      customerId: first,
      service: 'jira' as const,
      instanceUrl: `https://team-${index}.example`,
      ...login,
    };
    await append(streams.credential(id), [{ type: 'CredentialStored', data }], begun + index);
  });
  return { masterLicenseKey, licenseKey: keyOf('ENT', 0), customerId: first, integratorId: integrator };
};

/** Fills an empty event store with long lists. A server needs the returned `masterSecret` (base64) to read it. */
export const writeBigLists = async (
  { databaseUrl, eventStoreUrl }: { databaseUrl: string; eventStoreUrl: string },
  lengths: Lengths,
): Promise<BigLists & { masterSecret: string }> => {
  const masterSecret = randomBytes(32);
  const product = await openProduct({ databaseUrl, eventStoreUrl, masterSecret, log: pino({ level: 'warn' }) });
  const lists = await write(product.events, lengths);
  await product.close();
  return { ...lists, masterSecret: masterSecret.toString('base64') };
};
