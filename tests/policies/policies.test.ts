import { randomInt, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordUserActivity } from '../../src/commands/activity.ts';
import { createApiCallRecorder } from '../../src/commands/apiCalls.ts';
import { type Commands, createCommands } from '../../src/commands/commands.ts';
import { enrolCustomer } from '../../src/commands/enrolCustomer.ts';
import { moveCustomer } from '../../src/commands/moveCustomer.ts';
import { streams } from '../../src/commands/streams.ts';
import { isRegistered } from '../../src/domain/customer/state.ts';
import { ERASED } from '../../src/domain/event.ts';
import type { CredentialId, CustomerId, IntegratorId, ThemeId, UserId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/eventstore/port.ts';
import { abandonHalfEnrolments } from '../../src/policies/abandonHalfEnrolments.ts';
import { advanceTerms } from '../../src/policies/advanceTerms.ts';
import type { Policy } from '../../src/policies/engine/policy.ts';
import { createPolicyRunner, type PolicyRunner } from '../../src/policies/engine/runner.ts';
import { eraseDeletedCustomers } from '../../src/policies/eraseDeletedCustomers.ts';
import { eraseDeletedIntegrators } from '../../src/policies/eraseDeletedIntegrators.ts';
import { expireCredentials } from '../../src/policies/expireCredentials.ts';
import { fallBackFromDeletedThemes } from '../../src/policies/fallBackFromDeletedThemes.ts';
import { finishMoves } from '../../src/policies/finishMoves.ts';
import { forgetSignIns } from '../../src/policies/forgetSignIns.ts';
import { forgetCallClaims } from '../../src/projections/callQuotas/claims.ts';
import { integratorOwner, type Owner, signInDayOwner } from '../../src/security/owner.ts';
import { DataKeyDestroyed } from '../../src/security/vault.ts';
import { eventsOf, openStoreFixture } from '../eventstoreClient/adapterSupport.ts';
import { apiCallBatch, signInsRecorded, userAuthenticated } from '../support/builders/activity.ts';
import { commandOf, metaOf } from '../support/builders/command.ts';
import { reviseCredential, storeCredential } from '../support/builders/credentialCommands.ts';
import { customerRegistered, licenseTermSet } from '../support/builders/customer.ts';
import { moveCustomer as moveCustomerCommand, registerCustomer } from '../support/builders/customerCommands.ts';
import { beginCustomerMove, registerIntegrator } from '../support/builders/integratorCommands.ts';
import { createTheme } from '../support/builders/themeCommands.ts';
import { until } from '../support/eventually.ts';
import { itAtLength } from '../support/tiers.ts';

const fixture = openStoreFixture();
let commands: Commands;
let runner: PolicyRunner | null = null;
const errors: unknown[] = [];

beforeEach(() => {
  commands = createCommands({ events: fixture.events });
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  expect(errors.splice(0)).toEqual([]);
});

const run = (...policies: Policy[]): PolicyRunner => {
  runner = createPolicyRunner({
    policies,
    events: fixture.events,
    db: fixture.db,
    pool: fixture.pool,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    onError: (_, error) => errors.push(error),
    dueMs: 20,
    standbyMs: 20,
  });
  void runner.start();
  return runner;
};

const now = () => metaOf({ at: new Date().toISOString(), commandId: randomUUID() });
const newPartner = async () => {
  const integratorId = randomUUID() as IntegratorId;
  await commands.integrators.handle(registerIntegrator({ integratorId }));
  return integratorId;
};
const newCustomer = async (integratorId: IntegratorId) => {
  const customerId = randomUUID() as CustomerId;
  await enrolCustomer(commands, { ...registerCustomer({ integratorId, customerId }), meta: now() });
  return customerId;
};
const customersOf = async (integratorId: IntegratorId) => {
  const { state } = await commands.integrators.load(integratorId);
  return state.status === 'active' ? state.customers : null;
};
const themeOf = async (customerId: CustomerId) => {
  const { state } = await commands.customers.load(customerId);
  return state.status === 'active' ? state.theme : undefined;
};

describe('an enrolment that a crash interrupted', () => {
  it('is withdrawn, and can no longer be completed', async () => {
    const integratorId = await newPartner();
    const customerId = randomUUID() as CustomerId;
    await commands.integrators.handle({ ...commandOf('EnrolCustomer', { integratorId, customerId }), meta: now() });
    run(abandonHalfEnrolments({ commands, graceMs: 0 }));
    await until(async () => (await customersOf(integratorId))?.size === 0);
    expect(await commands.customers.handle(registerCustomer({ integratorId, customerId }))).toEqual({
      accepted: false,
      refusal: 'customer_deleted',
    });
  });

  it('is distinguished from a completed one', async () => {
    const integratorId = await newPartner();
    const finished = await newCustomer(integratorId);
    const half = randomUUID() as CustomerId;
    await commands.integrators.handle({ ...commandOf('EnrolCustomer', { integratorId, customerId: half }), meta: now() });
    run(abandonHalfEnrolments({ commands, graceMs: 0 }));
    await until(async () => !(await customersOf(integratorId))?.has(half));
    expect((await customersOf(integratorId))?.has(finished)).toBe(true);
    expect((await commands.customers.load(finished)).state).toMatchObject({ status: 'active' });
  });
});

describe('a move of a customer that a crash interrupted', () => {
  const ownerOf = async (customerId: CustomerId) => {
    const { state } = await commands.customers.load(customerId);
    return isRegistered(state) ? state.integratorId : null;
  };
  const hasEnrolled = async (integratorId: IntegratorId, customerId: CustomerId) =>
    (await customersOf(integratorId))?.has(customerId) === true;
  const begin = (integratorId: IntegratorId, customerId: CustomerId, externalId: string | null = null) =>
    commands.integrators.handle({ ...beginCustomerMove({ integratorId, customerId, externalId }), meta: now() });

  it('is completed after it began, with what the service integrator has claimed', async () => {
    const [former, next] = [await newPartner(), await newPartner()];
    const customerId = await newCustomer(former);
    await begin(next, customerId, 'crm-17');
    run(finishMoves({ commands, graceMs: 0 }));
    await until(async () => (await ownerOf(customerId)) === next && !(await hasEnrolled(former, customerId)));
    expect(await hasEnrolled(next, customerId)).toBe(true);
    expect((await commands.customers.load(customerId)).state).toMatchObject({ records: { externalId: 'crm-17' } });
  });

  it('is completed after the customer moved', async () => {
    const [former, next] = [await newPartner(), await newPartner()];
    const customerId = await newCustomer(former);
    await begin(next, customerId);
    await commands.customers.handle({ ...moveCustomerCommand({ customerId, integratorId: next }), meta: now() });
    expect(await hasEnrolled(former, customerId)).toBe(true);
    run(finishMoves({ commands }));
    await until(async () => !(await hasEnrolled(former, customerId)));
    expect([await ownerOf(customerId), await hasEnrolled(next, customerId)]).toEqual([next, true]);
  });

  it('is completed by the same request, whatever was appended before, and does nothing when it is complete', async () => {
    run(finishMoves({ commands }));
    for (const appended of [1, 2, 3]) {
      const [former, next] = [await newPartner(), await newPartner()];
      const customerId = await newCustomer(former);
      const { revision: ifRevision } = await commands.customers.load(customerId);
      const request = { customerId, integratorId: next, records: 'keep', meta: now() } as const;
      let left = appended;
      const append: EventStore['append'] = async (...args) => {
        if (left-- === 0) throw new EventStoreUnavailable('The process ends here');
        return fixture.events.append(...args);
      };
      const crashing = createCommands({ events: { read: (...args) => fixture.events.read(...args), append } });
      const crash = moveCustomer(crashing, request, { ifRevision });
      if (appended < 3) await expect(crash).rejects.toThrow('The process ends here');
      else await crash;
      for (const _ of [1, 2]) {
        const again = await moveCustomer(createCommands({ events: fixture.events }), request, { ifRevision });
        expect(again).toMatchObject({ accepted: true, state: { integratorId: next, moves: 1 } });
      }
      await until(async () => !(await hasEnrolled(former, customerId)));
      const other = await moveCustomer(commands, { ...request, meta: now() }, { ifRevision });
      expect(other).toEqual({ accepted: false, refusal: 'revision_changed' });
    }
  });

  it('ends without a customer that was deleted, or moved elsewhere', async () => {
    const [former, next, third] = [await newPartner(), await newPartner(), await newPartner()];
    const [deleted, taken] = [await newCustomer(former), await newCustomer(former)];
    for (const customerId of [deleted, taken]) await begin(next, customerId);
    await commands.customers.handle({ ...commandOf('DeleteCustomer', { customerId: deleted }), meta: now() });
    await moveCustomer(commands, { customerId: taken, integratorId: third, records: 'keep', meta: now() });
    run(finishMoves({ commands, graceMs: 0 }));
    await until(async () => (await customersOf(next))?.size === 0);
    expect(await ownerOf(taken)).toBe(third);
  });

  itAtLength('leaves one owner, whatever moves and deletions happen at the same time', async () => {
    const partners = [await newPartner(), await newPartner(), await newPartner(), await newPartner()];
    const [first, ...others] = partners as [IntegratorId, ...IntegratorId[]];
    run(finishMoves({ commands, graceMs: 0 }));
    // Each node decides on states of its own.
    const nodes = others.map(() => createCommands({ events: fixture.events }));
    const customers = await Promise.all(Array.from({ length: 8 }, () => newCustomer(first)));
    await Promise.all(
      customers.flatMap((customerId, nr) => [
        ...nodes.map((node, index) =>
          moveCustomer(node, { customerId, integratorId: others[index] ?? first, records: 'keep', meta: now() }),
        ),
        ...(nr % 2 === 0 ? [commands.customers.handle({ ...commandOf('DeleteCustomer', { customerId }), meta: now() })] : []),
      ]),
    );
    for (const customerId of customers) {
      await until(async () => {
        const owner = await ownerOf(customerId);
        const enrolled = await Promise.all(partners.map((one) => hasEnrolled(one, customerId)));
        // A deletion withdraws the last owner by another policy.
        return partners.every((one, index) => enrolled[index] === (one === owner) || owner === null);
      });
    }
  });
});

describe('a deleted customer', () => {
  const erasing = () =>
    eraseDeletedCustomers({
      commands,
      events: fixture.events,
      destroyKey: fixture.vault.destroy,
      forgetClaims: (customerId) => forgetCallClaims(fixture.db, customerId),
      secondLookMs: 0,
    });

  it('loses its calls, credentials, users, texts and integrator', async () => {
    const integratorId = await newPartner();
    const customerId = await newCustomer(integratorId);
    const userId = randomUUID() as UserId;
    const credentialId = randomUUID() as CredentialId;
    const today = now().at.slice(0, 10);
    await commands.customers.handle(
      commandOf('SignInUser', { customerId, userId, username: 'ada', email: 'ada@acme.example', machineId: 'machine' }),
    );
    await commands.credentials.handle(storeCredential({ credentialId, customerId }));
    const authenticated = { ...userAuthenticated(), data: { customerId, userId } };
    await recordUserActivity(fixture.events, authenticated, now());
    await createApiCallRecorder({ events: fixture.events })(apiCallBatch({ customerId, userId }), now());
    const doomed = [streams.apiCalls(customerId, today), streams.credential(credentialId), streams.userActivity(userId)];
    for (const stream of doomed) expect(await eventsOf(fixture.events, stream)).toHaveLength(1);

    await commands.customers.handle(commandOf('DeleteCustomer', { customerId }));
    run(erasing());
    await until(async () => (await customersOf(integratorId))?.size === 0);

    for (const stream of doomed) expect(await eventsOf(fixture.events, stream)).toEqual([]);
    const [registered, issued] = await eventsOf(fixture.events, streams.customer(customerId));
    expect(registered).toMatchObject({ data: { customerId, name: ERASED, contactEmail: ERASED } });
    expect(issued).toMatchObject({ type: 'LicenseIssued', data: { licenseKey: ERASED } });
    expect(await commands.integrators.handle(commandOf('DeleteIntegrator', { integratorId }))).toMatchObject({ accepted: true });
  });

  it('loses work that arrived during its deletion by a second run', async () => {
    const integratorId = await newPartner();
    const customerId = await newCustomer(integratorId);
    const stream = streams.apiCalls(customerId, now().at.slice(0, 10));
    await commands.customers.handle(commandOf('DeleteCustomer', { customerId }));
    const policy = erasing();
    let isLate = true;
    run({
      ...policy,
      onDue: async (note, context) => {
        if (isLate && note.key === streams.customer(customerId)) {
          isLate = false;
          await createApiCallRecorder({ events: fixture.events })(apiCallBatch({ customerId }), now());
        }
        await policy.onDue?.(note, context);
      },
    });
    await until(async () => !isLate && (await eventsOf(fixture.events, stream)).length === 0);
  });
});

describe('a deleted integrator', () => {
  it('keeps its events without names', async () => {
    const integratorId = await newPartner();
    await commands.integrators.handle(commandOf('DeleteIntegrator', { integratorId }));
    run(eraseDeletedIntegrators({ destroyKey: (id) => fixture.vault.destroy(integratorOwner(id)) }));
    const nameOf = async () => {
      const [registered] = await eventsOf(fixture.events, streams.integrator(integratorId));
      return registered?.type === 'IntegratorRegistered' ? registered.data.companyName : null;
    };
    await until(async () => (await nameOf()) === ERASED);
  });
});

describe("a deleted theme's customers", () => {
  const newTheme = async (integratorId: IntegratorId, themeName: string, makeDefault = false) => {
    const themeId = randomUUID() as ThemeId;
    await commands.themes.handle(createTheme(themeName, { integratorId, themeId, themeName, makeDefault }));
    return themeId;
  };

  it('get the default theme, and those with another one keep it', async () => {
    const integratorId = await newPartner();
    const [ocean, forest] = [await newTheme(integratorId, 'ocean'), await newTheme(integratorId, 'forest', true)];
    const [one, other] = [await newCustomer(integratorId), await newCustomer(integratorId)];
    await commands.customers.handle(commandOf('AssignTheme', { customerId: one, theme: ocean, source: 'explicit' }));
    await commands.customers.handle(commandOf('AssignTheme', { customerId: other, theme: 'aurora', source: 'explicit' }));
    await commands.themes.handle(commandOf('DeleteTheme', { integratorId, themeId: ocean }));
    run(fallBackFromDeletedThemes({ commands }));
    await until(async () => (await themeOf(one))?.theme === forest);
    expect(await themeOf(one)).toEqual({ theme: forest, source: 'default' });
    expect(await themeOf(other)).toEqual({ theme: 'aurora', source: 'explicit' });
  });

  it('get none if there is no default, even if the theme was assigned just after its deletion', async () => {
    const integratorId = await newPartner();
    const ocean = await newTheme(integratorId, 'ocean');
    const [one, late] = [await newCustomer(integratorId), await newCustomer(integratorId)];
    await commands.customers.handle(commandOf('AssignTheme', { customerId: one, theme: ocean, source: 'explicit' }));
    await commands.themes.handle(commandOf('DeleteTheme', { integratorId, themeId: ocean }));
    await commands.customers.handle(commandOf('AssignTheme', { customerId: late, theme: ocean, source: 'explicit' }));
    run(fallBackFromDeletedThemes({ commands }));
    await until(async () => (await themeOf(one)) === null && (await themeOf(late)) === null);
  });
});

describe('a credential', () => {
  it('expires at its time, unless it was extended', async () => {
    const customerId = await newCustomer(await newPartner());
    const [short, longer] = [randomUUID() as CredentialId, randomUUID() as CredentialId];
    const soon = new Date(Date.now() + 300).toISOString();
    await commands.credentials.handle(storeCredential({ credentialId: short, customerId, expiresAt: soon }));
    await commands.credentials.handle(storeCredential({ credentialId: longer, customerId, expiresAt: soon }));
    await commands.credentials.handle(
      reviseCredential({ credentialId: longer, customerId, expiresAt: '2099-01-01T00:00:00.000Z' }),
    );
    run(expireCredentials({ commands }));
    const statusOf = async (credentialId: CredentialId) => (await commands.credentials.load(credentialId)).state.status;
    await until(async () => (await statusOf(short)) === 'expired');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
    expect(await statusOf(longer)).toBe('untested');
    await until(async () => (await eventsOf(fixture.events, streams.credential(short))).length === 2);
  });
});

describe('the terms of licenses', () => {
  itAtLength('are recorded once each after a long downtime, by nodes that take over from each other', async () => {
    const integratorId = await newPartner();
    const customerIds = Array.from({ length: 250 }, () => randomUUID() as CustomerId);
    const expired = licenseTermSet({ expiresAt: '2026-02-01T00:00:00.000Z', graceDays: 14 });
    const history = (customerId: CustomerId) => [customerRegistered({ customerId, integratorId }), expired];
    await Promise.all(
      customerIds.map((id) => fixture.events.append(streams.customer(id), history(id), { expected: 'no_stream', meta: metaOf() })),
    );
    const typesOf = async (id: CustomerId) => (await eventsOf(fixture.events, streams.customer(id))).map(({ type }) => type);
    const last = customerIds.at(-1) ?? customerIds[0];
    const policy = advanceTerms({ commands });
    const earlier = run(policy);
    await until(async () => last !== undefined && (await typesOf(last)).length > 2);
    run(policy);
    await earlier.stop();
    await until(async () => (await Promise.all(customerIds.map(typesOf))).every((types) => types.length >= 4));
    const steps = ['LicenseEnteredGrace', 'LicenseExpired'];
    for (const types of await Promise.all(customerIds.map(typesOf))) expect(types.slice(2)).toEqual(steps);
  });

  it('are announced before they expire, also where an earlier version noted only the expiry', async () => {
    const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
    const withTerm = async (expiresAt: string, at: string): Promise<CustomerId> => {
      const customerId = randomUUID() as CustomerId;
      const history = [customerRegistered({ customerId }), licenseTermSet({ expiresAt })];
      await fixture.events.append(streams.customer(customerId), history, { expected: 'no_stream', meta: metaOf({ at }) });
      return customerId;
    };
    const stepsOf = async (id: CustomerId) => (await eventsOf(fixture.events, streams.customer(id))).slice(2);
    const dueOf = async (id: CustomerId) => {
      const of = fixture.db.selectFrom('policy.note').select('due_at').where('key', '=', streams.customer(id));
      return (await of.executeTakeFirst())?.due_at?.toISOString() ?? null;
    };
    const [soon, later] = [inDays(10), inDays(100)];
    const [missed, running] = [await withTerm(soon, inDays(-90)), await withTerm(later, inDays(0))];
    run(advanceTerms({ commands }));
    await until(async () => (await dueOf(missed)) === new Date(Date.parse(soon) - 7 * DAY_MS).toISOString());
    expect(await stepsOf(missed)).toEqual([{ type: 'LicenseExpiryAnnounced', data: { expiresAt: soon, days: 14 } }]);
    const announcedAt = new Date(Date.parse(later) - 30 * DAY_MS).toISOString();
    await until(async () => (await dueOf(running)) === announcedAt);
    await fixture.db.updateTable('policy.note').set({ due_at: new Date() }).where('key', '=', streams.customer(running)).execute();
    await until(async () => (await dueOf(running)) === announcedAt);
    expect(await stepsOf(running)).toEqual([]);
  });
});

describe('sign-ins beyond the retention period', () => {
  /** A moment in the given century. Its day is random, because a given store has one stream a day for all test files. */
  const momentIn = (year: number): string => new Date(Date.UTC(year, 0, 1 + randomInt(30_000), 12)).toISOString();

  it('are deleted with the key of their addresses, and younger ones stay', async () => {
    const record = async (at: string) => {
      const stream = streams.signIns(at.slice(0, 10));
      await fixture.events.append(stream, [signInsRecorded(), signInsRecorded()], { expected: 'any', meta: metaOf({ at }) });
      return stream;
    };
    const oldAt = momentIn(1900);
    const old = await record(oldAt);
    const young = await record(momentIn(2100));
    // Due by an earlier, shorter retention period, but not by the present one.
    const keptAt = new Date(Date.now() - 100 * 86_400_000).toISOString();
    // In a given store, an earlier run may have written to this day with another key.
    await fixture.events.deleteStream(streams.signIns(keptAt.slice(0, 10)));
    const kept = await record(keptAt);
    const { vault } = fixture;
    const [earlier, later] = [signInDayOwner('18000101'), signInDayOwner('29991231')];
    for (const owner of [earlier, later]) await vault.keyFor(owner);
    const destroyKey = async (day: string): Promise<void> => {
      await vault.destroy(signInDayOwner(day));
      await vault.destroyAll(signInDayOwner(''), signInDayOwner(day));
    };
    run(forgetSignIns({ events: fixture.events, destroyKey, retentionDays: 200 }));
    await until(async () => (await eventsOf(fixture.events, old)).length === 0);
    const isDestroyed = (owner: Owner) => async () => {
      try {
        await vault.keyFor(owner);
        return false;
      } catch (error) {
        return error instanceof DataKeyDestroyed;
      }
    };
    await until(isDestroyed(signInDayOwner(oldAt.slice(0, 10).replaceAll('-', ''))));
    // A day without sign-ins, on which the administration acted; and a day that is not over yet.
    await until(isDestroyed(earlier));
    expect((await vault.keyFor(later)).key).toHaveLength(32);
    expect(await eventsOf(fixture.events, young)).toHaveLength(2);
    expect((await eventsOf(fixture.events, kept)).length).toBeGreaterThanOrEqual(2);
  });
});
