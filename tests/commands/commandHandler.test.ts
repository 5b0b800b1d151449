import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TooManyLostRaces } from '../../src/commands/commandHandler.ts';
import { type Commands, createCommands } from '../../src/commands/commands.ts';
import { enrolCustomer } from '../../src/commands/enrolCustomer.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerCommand } from '../../src/domain/customer/commands.ts';
import { findUser } from '../../src/domain/customer/state.ts';
import type { CredentialId, CustomerId, IntegratorId, ThemeId, UserId } from '../../src/domain/ids.ts';
import type { EventStore } from '../../src/eventstore/port.ts';
import { customerOwner } from '../../src/security/owner.ts';
import { openStoreFixture, readAll } from '../eventstoreClient/adapterSupport.ts';
import { commandOf } from '../support/builders/command.ts';
import { storeCredential } from '../support/builders/credentialCommands.ts';
import { registerCustomer } from '../support/builders/customerCommands.ts';
import { registerIntegrator } from '../support/builders/integratorCommands.ts';
import { createTheme } from '../support/builders/themeCommands.ts';

const fixture = openStoreFixture();
/** A separate node: it shares only the store with the others. */
const node = (): Commands => createCommands({ events: fixture.events });

/** A node that counts its reads of the store. */
const countingNode = () => {
  let reads = 0;
  const read: EventStore['read'] = (...asked) => {
    reads += 1;
    return fixture.events.read(...asked);
  };
  return { commands: createCommands({ events: { ...fixture.events, read } }), reads: () => reads };
};

const newCustomer = async (commands: Commands, developerSeats = 10) => {
  const customerId = randomUUID() as CustomerId;
  const registered = await commands.customers.handle(registerCustomer({ customerId, developerSeats }));
  expect(registered).toMatchObject({ accepted: true, revision: 3n, state: { status: 'active' } });
  return customerId;
};
const suspend = (customerId: CustomerId) => commandOf('SuspendCustomer', { customerId, reason: null });
const reactivate = (customerId: CustomerId) => commandOf('ReactivateCustomer', { customerId, reason: null });
const signIn = (customerId: CustomerId, user: string) =>
  commandOf('SignInUser', {
    customerId,
    userId: randomUUID() as UserId,
    username: user,
    email: `${user}@acme.example`,
    machineId: 'machine',
  });

describe('the state of a stream', () => {
  it('is read twice for a thousand concurrent loads', async () => {
    const customerId = await newCustomer(node(), 10);
    const { commands, reads } = countingNode();
    const loaded = await Promise.all(Array.from({ length: 1000 }, () => commands.customers.load(customerId)));
    expect(new Set(loaded.map(({ revision }) => revision))).toEqual(new Set([3n]));
    expect(reads()).toBe(2);
  });

  it('is read as rarely for a thousand sign-ins that compete for ten seats', async () => {
    const customerId = await newCustomer(node(), 10);
    const { commands, reads } = countingNode();
    const attempt = async (index: number) => {
      await commands.customers.load(customerId);
      return commands.customers.handle(signIn(customerId, `user-${index}`));
    };
    const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, index) => attempt(index)));
    const refused = outcomes.filter(({ accepted }) => !accepted);
    expect(refused).toHaveLength(990);
    for (const outcome of refused) expect(outcome).toEqual({ accepted: false, refusal: 'seat_limit_reached' });
    expect(reads()).toBeLessThanOrEqual(4);
  });
});

describe('a command', () => {
  it('that registers an aggregate is decided without a read', async () => {
    const { commands, reads } = countingNode();
    const customerId = await newCustomer(commands);
    expect(reads()).toBe(0);
    expect(await node().customers.handle(registerCustomer({ customerId }))).toMatchObject({ accepted: true, position: null });
  });

  it('that registers an erased aggregate again is refused, also by a node without cached state', async () => {
    const customerId = await newCustomer(node());
    await node().customers.handle(commandOf('DeleteCustomer', { customerId }));
    await fixture.vault.destroy(customerOwner(customerId));
    const outcome = await node().customers.handle(registerCustomer({ customerId }));
    expect(outcome).toEqual({ accepted: false, refusal: 'customer_deleted' });
  });

  it('is written to the stream of its aggregate', async () => {
    const commands = node();
    const integratorId = randomUUID() as IntegratorId;
    const credentialId = randomUUID() as CredentialId;
    const customerId = await newCustomer(commands);
    await commands.integrators.handle(registerIntegrator({ integratorId }));
    await commands.themes.handle(createTheme('ocean', { integratorId, themeId: randomUUID() as ThemeId }));
    await commands.credentials.handle(storeCredential({ credentialId, customerId }));
    const typesIn = async (stream: Parameters<typeof readAll>[1]) =>
      (await readAll(fixture.events, stream)).map(({ event }) => event.type);
    expect(await typesIn(streams.customer(customerId))).toContain('CustomerRegistered');
    expect(await typesIn(streams.integrator(integratorId))).toContain('IntegratorRegistered');
    expect(await typesIn(streams.themes(integratorId))).toEqual(['ThemeCreated']);
    expect(await typesIn(streams.credential(credentialId))).toEqual(['CredentialStored']);
  });

  it('returns the position of its last event and the state after it', async () => {
    const commands = node();
    const customerId = await newCustomer(commands);
    const outcome = await commands.customers.handle(suspend(customerId));
    const last = (await readAll(fixture.events, streams.customer(customerId))).at(-1);
    expect(outcome).toMatchObject({
      accepted: true,
      position: last?.position,
      revision: last?.revision,
      state: { status: 'suspended' },
    });
    expect(last?.meta).toEqual(suspend(customerId).meta);
  });

  it('that changes nothing writes nothing', async () => {
    const commands = node();
    const customerId = await newCustomer(commands);
    expect(await commands.customers.handle(reactivate(customerId))).toMatchObject({ accepted: true, position: null, revision: 3n });
  });

  it('is refused by its aggregate', async () => {
    expect(await node().customers.handle(suspend(randomUUID() as CustomerId))).toEqual({
      accepted: false,
      refusal: 'customer_not_found',
    });
  });

  it('is decided on the events of other nodes too', async () => {
    const [one, other] = [node(), node()];
    const customerId = await newCustomer(one, 1);
    expect(await one.customers.handle(signIn(customerId, 'ada'))).toMatchObject({ accepted: true });
    expect(await other.customers.handle(signIn(customerId, 'bob'))).toEqual({ accepted: false, refusal: 'seat_limit_reached' });
    const { state } = await one.customers.load(customerId);
    const userId = findUser(state, signIn(customerId, 'ada').data)?.userId ?? ('' as UserId);
    expect(await one.customers.handle(commandOf('DeactivateUser', { customerId, userId, reason: null }))).toMatchObject({
      accepted: true,
    });
    expect(await other.customers.handle(signIn(customerId, 'bob'))).toMatchObject({ accepted: true });
    expect(await one.customers.handle(signIn(customerId, 'eve'))).toEqual({ accepted: false, refusal: 'seat_limit_reached' });
  });
});

describe('commands of one stream together', () => {
  it('are written in one append', async () => {
    const commands = node();
    const customerId = await newCustomer(commands);
    const outcome = await commands.customers.handle([
      commandOf('ChangeCustomerDetails', { customerId, name: 'Acme Europe' }),
      commandOf('AllocateSeats', { customerId, developerSeats: 3 }),
      suspend(customerId),
    ]);
    expect(outcome).toMatchObject({ accepted: true, revision: 6n, state: { status: 'suspended', name: 'Acme Europe' } });
  });

  it('are refused together', async () => {
    const commands = node();
    const customerId = await newCustomer(commands);
    const list: CustomerCommand[] = [
      suspend(customerId),
      commandOf('ActivateUser', { customerId, userId: randomUUID() as UserId, reason: null }),
    ];
    expect(await commands.customers.handle(list)).toEqual({ accepted: false, refusal: 'user_not_found' });
    expect((await commands.customers.load(customerId)).state).toMatchObject({ status: 'active' });
  });

  it('cannot be of two streams, or none', async () => {
    const commands = node();
    const [one, other] = [randomUUID() as CustomerId, randomUUID() as CustomerId];
    await expect(commands.customers.handle([suspend(one), suspend(other)])).rejects.toThrow('more than one stream');
    await expect(commands.customers.handle([] satisfies CustomerCommand[])).rejects.toThrow('No command');
  });
});

describe('an expected revision', () => {
  it('must be the last one', async () => {
    const [one, other] = [node(), node()];
    const customerId = await newCustomer(one);
    expect(await one.customers.handle(suspend(customerId), { ifRevision: 2n })).toEqual({
      accepted: false,
      refusal: 'revision_changed',
    });
    expect(await other.customers.handle(suspend(customerId), { ifRevision: 3n })).toMatchObject({ accepted: true, revision: 4n });
    expect(await one.customers.handle(reactivate(customerId), { ifRevision: 3n })).toEqual({
      accepted: false,
      refusal: 'revision_changed',
    });
    expect(await one.customers.handle(reactivate(customerId), { ifRevision: 4n })).toMatchObject({ accepted: true, revision: 5n });
  });
});

describe('a thousand concurrent sign-ins', () => {
  it('of different developers claim ten seats if there are ten, also over several nodes', async () => {
    const nodes = [node(), node(), node()] as const;
    const customerId = await newCustomer(nodes[0], 10);
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => (nodes[i % 3] ?? nodes[0]).customers.handle(signIn(customerId, `dev-${i}`))),
    );
    expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(10);
    expect(outcomes.filter((outcome) => !outcome.accepted && outcome.refusal === 'seat_limit_reached')).toHaveLength(990);
    const { state } = await node().customers.load(customerId);
    expect(state).toMatchObject({ users: { size: 10 }, seats: { developer: { allocated: 10, active: 10 } } });
  });

  it('of the same developer register one user', async () => {
    const commands = node();
    const customerId = await newCustomer(commands, 10);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => commands.customers.handle(signIn(customerId, 'ada'))));
    const ids = outcomes.map((outcome) =>
      outcome.accepted ? findUser(outcome.state, signIn(customerId, 'ada').data)?.userId : null,
    );
    expect(new Set(ids).size).toBe(1);
    expect((await commands.customers.load(customerId)).state).toMatchObject({ users: { size: 1 } });
  });
});

describe('a stream on which other nodes win every race', () => {
  it('ends the command with TooManyLostRaces', async () => {
    const commands = createCommands({
      events: { read: fixture.events.read, append: async () => ({ ok: false, reason: 'wrong_expected_revision' }) },
    });
    await expect(commands.customers.handle(registerCustomer({ customerId: randomUUID() as CustomerId }))).rejects.toThrow(
      TooManyLostRaces,
    );
  });
});

describe('enrolling a customer', () => {
  const newIntegrator = async (commands: Commands) => {
    const integratorId = randomUUID() as IntegratorId;
    await commands.integrators.handle(registerIntegrator({ integratorId }));
    return integratorId;
  };

  it('adds it to its integrator and registers it', async () => {
    const commands = node();
    const integratorId = await newIntegrator(commands);
    const customerId = randomUUID() as CustomerId;
    const command = registerCustomer({ integratorId, customerId });
    expect(await enrolCustomer(commands, command)).toMatchObject({ accepted: true, state: { integratorId, status: 'active' } });
    expect(await enrolCustomer(commands, command)).toMatchObject({ accepted: true, position: null });
    const { state } = await commands.integrators.load(integratorId);
    expect(state.status === 'active' && state.customers.has(customerId)).toBe(true);
  });

  it('is refused under an integrator that is unknown or churned', async () => {
    const commands = node();
    const customerId = randomUUID() as CustomerId;
    const unknown = registerCustomer({ integratorId: randomUUID() as IntegratorId, customerId });
    expect(await enrolCustomer(commands, unknown)).toEqual({ accepted: false, refusal: 'integrator_not_found' });
    const integratorId = await newIntegrator(commands);
    await commands.integrators.handle(commandOf('ChurnIntegrator', { integratorId, reason: null }));
    const churned = registerCustomer({ integratorId, customerId });
    expect(await enrolCustomer(commands, churned)).toEqual({ accepted: false, refusal: 'integrator_churned' });
    expect((await commands.customers.load(customerId)).state).toEqual({ status: 'unregistered' });
  });

  it('withdraws it from the integrator when it cannot be registered', async () => {
    const commands = node();
    const integratorId = await newIntegrator(commands);
    const customerId = randomUUID() as CustomerId;
    await commands.customers.handle(commandOf('AbandonEnrolment', { customerId }));
    const outcome = await enrolCustomer(commands, registerCustomer({ integratorId, customerId }));
    expect(outcome).toEqual({ accepted: false, refusal: 'customer_deleted' });
    const { state } = await commands.integrators.load(integratorId);
    expect(state.status === 'active' && state.customers.size).toBe(0);
  });

  it('and deleting the integrator at the same time leaves no customer without one', async () => {
    for (let round = 0; round < 20; round++) {
      const [one, other] = [node(), node()];
      const integratorId = await newIntegrator(one);
      const customerId = randomUUID() as CustomerId;
      const [enrolled, deleted] = await Promise.all([
        enrolCustomer(one, registerCustomer({ integratorId, customerId })),
        other.integrators.handle(commandOf('DeleteIntegrator', { integratorId })),
      ]);
      expect(enrolled.accepted).toBe(!deleted.accepted);
    }
  });
});
