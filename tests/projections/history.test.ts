import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import { ERASED } from '../../src/domain/event.ts';
import type { CredentialId, CustomerId, IntegratorId, SessionId } from '../../src/domain/ids.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { customerOwner, integratorOwner, userOwner } from '../../src/security/owner.ts';
import { credentialRevised, credentialStored, credentialTested } from '../support/builders/credential.ts';
import {
  customerDeleted,
  customerDetailsChanged,
  customerSuspended,
  licenseIssued,
  seatClaimed,
  seatsAllocated,
  themeAssigned,
  themeUnassigned,
  userRegistered,
  userRoleChanged,
} from '../support/builders/customer.ts';
import { themeIdOf, userIdOf } from '../support/builders/ids.ts';
import {
  brandingChanged,
  customerEnrolled,
  integratorChurned,
  integratorDeleted,
  integratorProfileChanged,
  integratorReactivated,
  integratorSuspended,
  masterLicenseIssued,
  masterLicenseKeyRotated,
  whiteLabelEnabled,
} from '../support/builders/integrator.ts';
import { alertFired, alertIdOf, alertRuleCreated } from '../support/builders/operations.ts';
import { breakGlassUsed, memberInvited, memberJoined, memberRemoved, newSignInNoticed } from '../support/builders/team.ts';
import { themeCreated, themeDeleted, themeMadeDefault, themeRevised } from '../support/builders/theme.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const reader = () => ({ kind: 'admin' as const, team: fixture.queries.team, apiTokens: fixture.queries.apiTokens });
const historyOf = async (customerId: CustomerId, filter: Partial<Parameters<typeof fixture.queries.history.of>[1]> = {}) =>
  (await fixture.queries.history.of({ customerId }, { limit: 100, ...filter }, reader())).history;
const summariesOf = (entries: readonly HistoryEntry[]) => entries.map(({ summary }) => summary);

describe('the history of a customer', () => {
  it('describes who changed what in sentences, newest first', async () => {
    const integratorId = await newIntegrator(fixture, 'Northwind');
    const { customerId } = await newCustomer(fixture, { integratorId, events: [licenseIssued(), seatsAllocated()] });
    const stream = streams.customer(customerId);
    const registered = userRegistered('hist-ada', { machineId: 'machine-1', machineName: 'ada-laptop' });
    await appendEvents(fixture, stream, [registered, seatClaimed('hist-ada')], {
      actor: { kind: 'user', id: userIdOf('hist-ada') },
    });
    await appendEvents(fixture, stream, [seatsAllocated({ developerSeats: 20 }), userRoleChanged('hist-ada', 'admin')], {
      actor: { kind: 'integrator', id: integratorId },
    });
    const position = await appendEvents(
      fixture,
      stream,
      [customerDetailsChanged({ name: 'Acme', contactEmail: 'new@acme.example' }), customerSuspended('Unpaid')],
      { at: '2026-02-01T10:00:00Z', actor: { kind: 'system', id: 'billing' } },
    );
    await settled(fixture, 'read', position);
    const entries = await historyOf(customerId);
    expect(summariesOf(entries)).toEqual([
      'The customer was suspended: Unpaid',
      'Name, contact or company changed',
      'The role of user hist-ada changed to admin',
      'Seats set to 20 developer, 5 stakeholder',
      'User hist-ada claimed a developer seat',
      'User hist-ada (hist-ada@acme.example) was registered as developer on the machine ada-laptop',
      'Seats set to 10 developer, 5 stakeholder',
      'A license key of tier ENT was issued',
      'Acme was registered',
    ]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: '2026-02-01T10:00:00.000Z',
      type: 'CustomerSuspended',
      actor: { kind: 'system', id: 'billing', name: 'System', userId: null, sessionId: null, method: null, address: null },
      summary: 'The customer was suspended: Unpaid',
      changes: [{ field: 'status', before: 'active', after: 'suspended' }],
      position: String(position),
    });
    expect(entries[1]?.changes).toEqual([{ field: 'contactEmail', before: 'ops@acme.example', after: 'new@acme.example' }]);
    expect(entries[2]?.actor).toMatchObject({
      kind: 'integrator',
      id: integratorId,
      name: 'Northwind',
      sessionId: null,
      method: null,
    });
    expect(entries[3]?.changes).toEqual([{ field: 'developerSeats', before: 10, after: 20 }]);
    expect(entries[5]?.actor).toMatchObject({ kind: 'user', name: 'hist-ada' });
    expect(entries[8]?.actor).toMatchObject({ kind: 'admin', id: 'admin', name: 'Administrator' });
    expect(JSON.stringify(entries)).not.toContain('LK-ENT');
  });

  it('contains credentials, without their secrets, and sign-ins', async () => {
    const { customerId } = await newCustomer(fixture, { events: [userRegistered('hist-bob'), seatClaimed('hist-bob')] });
    const credentialId = randomUUID() as CredentialId;
    await appendEvents(fixture, streams.credential(credentialId), [
      credentialStored({ credentialId, customerId, service: 'azdo', instanceUrl: 'https://dev.example' }),
      credentialTested(false, 'Not authorised'),
      credentialRevised({ customerId, instanceUrl: 'https://dev2.example', password: 'hunter2' }),
    ]);
    const userId = userIdOf('hist-bob');
    const signedIn = { type: 'UserAuthenticated', data: { userId, customerId } } as const;
    await settled(fixture, 'read', await appendEvents(fixture, streams.userActivity(userId), [signedIn]));
    const entries = await historyOf(customerId);
    expect(summariesOf(entries).slice(0, 4)).toEqual([
      'User hist-bob signed in with the command-line tool',
      'The Azure DevOps credential for https://dev2.example was edited, with a new secret',
      'The Azure DevOps credential for https://dev.example was tested: Not authorised',
      'The Azure DevOps credential for https://dev.example was added',
    ]);
    expect(JSON.stringify(entries)).not.toContain('hunter2');
    const ofCredential = { about: credentialId, automatic: 'false', type: 'CredentialStored,CredentialRevised', limit: 5 } as const;
    const { history } = await fixture.queries.history.of({ customerId }, ofCredential, reader());
    expect(history.map(({ type }) => type)).toEqual(['CredentialRevised', 'CredentialStored']);
  });

  it('contains changes of a theme while it is assigned to the customer', async () => {
    const integratorId = await newIntegrator(fixture);
    const theme = randomUUID();
    const revise = (displayName: string) =>
      appendEvents(fixture, streams.themes(integratorId), [themeRevised(theme, { displayName })]);
    await appendEvents(fixture, streams.themes(integratorId), [themeCreated(theme, { displayName: 'Dawn' })]);
    const { customerId } = await newCustomer(fixture, { integratorId });
    await revise('Noon');
    await appendEvents(fixture, streams.customer(customerId), [themeAssigned(themeIdOf(theme))]);
    await revise('Dusk');
    await appendEvents(fixture, streams.customer(customerId), [themeUnassigned()]);
    await settled(fixture, 'read', await revise('Night'));
    const entries = await historyOf(customerId);
    expect(summariesOf(entries)).toEqual([
      'The theme was removed',
      'Theme Dusk was revised',
      'Theme Noon was assigned',
      'Acme was registered',
    ]);
    expect(entries[1]?.changes).toEqual([{ field: 'displayName', before: 'Noon', after: 'Dusk' }]);
    expect(entries[0]?.changes).toEqual([{ field: 'theme', before: 'Noon', after: null }]);
  });

  it('is filtered, searched, paged and exported', async () => {
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    let position = 0n;
    for (let hour = 10; hour < 16; hour++) {
      position = await appendEvents(fixture, stream, [seatsAllocated({ developerSeats: hour })], {
        at: `2026-02-01T${hour}:00:00.000Z`,
        actor: hour % 2 === 0 ? { kind: 'integrator', id: 'x' } : { kind: 'admin', id: 'admin' },
      });
    }
    await settled(fixture, 'read', position);
    expect(await historyOf(customerId, { type: 'CustomerRegistered' })).toHaveLength(1);
    expect(await historyOf(customerId, { actor: 'integrator' })).toHaveLength(3);
    expect(await historyOf(customerId, { actor: 'x' })).toHaveLength(3);
    const between = await historyOf(customerId, { from: '2026-02-01T11:00:00Z', to: '2026-02-01T13:00:00Z' });
    expect(between.map(({ at }) => at.slice(11, 13))).toEqual(['13', '12', '11']);
    expect(summariesOf(await historyOf(customerId, { search: 'TO 14 DEV' }))).toEqual(['Seats set to 14 developer, 5 stakeholder']);
    const paged: HistoryEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await fixture.queries.history.of({ customerId }, { limit: 3, cursor }, reader());
      expect(page.total).toBe(7);
      paged.push(...page.history);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(paged).toEqual(await historyOf(customerId));
    expect(await fixture.queries.history.of({ customerId }, { limit: 1, actor: 'x' }, reader())).toMatchObject({
      history: [{}],
      total: 3,
    });
    const exported: HistoryEntry[] = [];
    for await (const entry of fixture.queries.history.export({ customerId }, {}, reader())) exported.push(entry);
    expect(exported).toEqual(paged);
    await expect(historyOf(customerId, { cursor: 'garbage' })).rejects.toThrow('Not a cursor');
  });

  it('stays after the deletion of the customer, without personal data, credentials and sign-ins', async () => {
    const { customerId } = await newCustomer(fixture, {
      name: 'Secretive Ltd',
      events: [
        userRegistered('hist-eve', { machineId: 'machine-1', machineName: 'hist-eve-laptop' }),
        seatClaimed('hist-eve'),
        customerDetailsChanged({ name: 'Discreet Ltd', company: null }),
      ],
    });
    const credentialId = randomUUID() as CredentialId;
    await appendEvents(fixture, streams.credential(credentialId), [credentialStored({ credentialId, customerId })]);
    await fixture.vault.destroy(customerOwner(customerId));
    const deleted = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    await settled(fixture, 'read', deleted);
    const entries = await historyOf(customerId);
    expect(summariesOf(entries)).toEqual([
      'The customer was deleted',
      'Name, contact or company changed',
      'A removed user claimed a developer seat',
      'A removed user was registered as developer',
      `${ERASED} was registered`,
    ]);
    const { rows } = await fixture.db
      .selectFrom('read.history')
      .selectAll()
      .where('customer_id', '=', customerId)
      .execute()
      .then((rows) => ({ rows }));
    expect(JSON.stringify(rows)).not.toMatch(/Secretive|Discreet|hist-eve|ops@/);
    expect(await fixture.queries.history.isKept({ customerId })).toBe(true);
    expect(await fixture.queries.history.isKept({ customerId: randomUUID() as CustomerId })).toBe(false);
  });
});

describe('an alert about health checks', () => {
  it('names the failing checks', async () => {
    const fired = (n: number, checks: readonly string[]) => alertFired({ alertId: alertIdOf(n), value: checks.length, checks });
    const events = [alertRuleCreated({ metric: 'health' }), fired(1, ['eventStore']), fired(2, ['disk', 'eventStore'])];
    await settled(fixture, 'read', await appendEvents(fixture, streams.alerts, events));
    const period = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' };
    const shown = (await fixture.queries.annotations.inPeriod(period, reader())).filter(({ type }) => type === 'AlertFired');
    expect(shown.map(({ summary }) => summary)).toEqual([
      'Alert Error rate: 1 failing check: event store',
      'Alert Error rate: 2 failing checks: disk, event store',
    ]);
  });
});

describe('the actor of an entry', () => {
  const [ana, address, sessionId] = [userIdOf('hist-ana'), '203.0.113.7', randomUUID() as SessionId];

  it('has session, method and address for those who may see them, until the named user is erased', async () => {
    const integratorId = await newIntegrator(fixture, 'Northwind');
    const { customerId } = await newCustomer(fixture, { integratorId });
    const stream = streams.customer(customerId);
    const team = streams.team(teamIdOf({ kind: 'integrator', integratorId }));
    await appendEvents(fixture, team, [memberInvited('hist-ana', { name: 'Ana Ruiz' }), memberJoined('hist-ana')]);
    const byAna = { actor: { kind: 'integrator', id: integratorId, userId: ana, sessionId, method: 'passkey', address } } as const;
    const byKey = { actor: { kind: 'admin', id: 'admin', method: 'key', address: '198.51.100.9' } } as const;
    await appendEvents(fixture, stream, [userRegistered('hist-bo')], byKey);
    await settled(fixture, 'read', await appendEvents(fixture, stream, [seatsAllocated({ developerSeats: 7 })], byAna));

    const newest = async (kind: 'admin' | 'integrator' | 'customer', filter = {}) =>
      (await fixture.queries.history.of({ customerId }, { limit: 2, ...filter }, { ...reader(), kind })).history.map(
        ({ actor }) => [actor.name, actor.sessionId, actor.method, actor.address],
      );
    const [anaShown, keyShown] = [
      ['Ana Ruiz (owner)', sessionId, 'passkey', address],
      ['Administrator', null, 'key', '198.51.100.9'],
    ];
    const keyHidden = ['Administrator', null, null, null];
    expect(await newest('admin')).toEqual([anaShown, keyShown]);
    expect(await newest('integrator')).toEqual([anaShown, keyHidden]);
    expect(await newest('customer')).toEqual([['Ana Ruiz (owner)', null, null, null], keyHidden]);
    expect(await newest('admin', { user: ana })).toEqual([anaShown]);
    expect(await newest('admin', { about: userIdOf('hist-bo') })).toEqual([keyShown]);
    const noticed = [newSignInNoticed('hist-ana'), breakGlassUsed('hist', ['hist-ana'])];
    await settled(fixture, 'read', await appendEvents(fixture, team, noticed, byAna));
    const changes = await fixture.queries.history.of({ integratorId }, { limit: 1, automatic: 'false' }, reader());
    expect(changes.history.map(({ type }) => type)).toEqual(['MemberJoined']);
    const { actors } = await fixture.queries.history.of({ customerId }, { limit: 2 }, reader());
    expect(actors).toEqual([{ id: ana, name: 'Ana Ruiz (owner)' }]);

    const stored = await fixture.db.selectFrom('read.history').selectAll().where('customer_id', '=', customerId).execute();
    expect(JSON.stringify(stored)).not.toContain(address);
    await settled(fixture, 'read', await appendEvents(fixture, team, [memberRemoved('hist-ana')]));
    await fixture.vault.destroy(userOwner(ana));
    expect(await newest('admin')).toEqual([['Removed user', sessionId, 'passkey', null], keyShown]);
    // An append that was on its way while the named user was erased is stored without the address.
    await settled(fixture, 'read', await appendEvents(fixture, stream, [seatsAllocated({ developerSeats: 8 })], byAna));
    expect((await newest('admin'))[0]).toEqual(['Removed user', sessionId, 'passkey', null]);
  });

  it('has the address of a user of the tool until the user is erased', async () => {
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    const bo = userIdOf('hist-tool-bo');
    const byBo = { actor: { kind: 'user', id: bo, method: 'key', address } } as const;
    await settled(fixture, 'read', await appendEvents(fixture, stream, [userRegistered('hist-tool-bo')], byBo));
    const shownTo = async (kind: 'admin' | 'integrator' | 'customer') => {
      const { history } = await fixture.queries.history.of({ customerId }, { limit: 1 }, { ...reader(), kind });
      return [history[0]?.actor.method, history[0]?.actor.address];
    };
    for (const kind of ['admin', 'integrator', 'customer'] as const) expect(await shownTo(kind)).toEqual(['key', address]);
    const stored = await fixture.db.selectFrom('read.history').selectAll().where('customer_id', '=', customerId).execute();
    expect(JSON.stringify(stored)).not.toContain(address);
    await fixture.vault.destroy(userOwner(bo));
    expect(await shownTo('admin')).toEqual(['key', null]);
  });
});

describe('the history of a service integrator', () => {
  const ofIntegrator = async (integratorId: IntegratorId) =>
    (await fixture.queries.history.of({ integratorId }, { limit: 100 }, reader())).history;

  it('has the events of its account, with reasons, and of its themes', async () => {
    const integratorId = await newIntegrator(fixture, 'Northwind');
    const [stream, theme] = [streams.integrator(integratorId), randomUUID()];
    await appendEvents(fixture, stream, [masterLicenseIssued(), customerEnrolled(), whiteLabelEnabled(), brandingChanged()]);
    await appendEvents(fixture, streams.themes(integratorId), [
      themeCreated(theme, { displayName: 'Dawn' }),
      themeMadeDefault(theme),
      themeRevised(theme, { displayName: 'Noon' }),
      themeDeleted(theme),
    ]);
    await appendEvents(fixture, stream, [integratorProfileChanged({ companyName: 'Southwind' }), masterLicenseKeyRotated()]);
    const position = await appendEvents(
      fixture,
      stream,
      [integratorSuspended('Invoice 42 is unpaid'), integratorReactivated(), integratorChurned('Contract ended')],
      { at: '2026-02-01T10:00:00Z', actor: { kind: 'integrator', id: integratorId } },
    );
    await settled(fixture, 'read', position);
    const entries = await ofIntegrator(integratorId);
    expect(summariesOf(entries)).toEqual([
      'The service integrator churned: Contract ended',
      'The service integrator was reactivated',
      'The service integrator was suspended: Invoice 42 is unpaid',
      'The master license key was rotated',
      'Company name or email addresses changed',
      'Theme Noon was deleted',
      'Theme Noon was revised',
      'Theme Dawn became the default theme',
      'Theme Dawn was created',
      'Custom domain or logo changed',
      'White-label was enabled',
      'A master license key was issued',
      'Northwind was registered',
    ]);
    expect(entries[2]).toMatchObject({
      at: '2026-02-01T10:00:00.000Z',
      type: 'IntegratorSuspended',
      actor: { kind: 'integrator', id: integratorId, name: 'Southwind' },
      changes: [{ field: 'status', before: 'active', after: 'suspended' }],
    });
    expect(entries[4]?.changes).toEqual([{ field: 'companyName', before: 'Northwind', after: 'Southwind' }]);
    expect(entries[9]?.changes).toEqual([
      { field: 'customDomain', before: null, after: 'licenses.partner.example' },
      { field: 'logoUrl', before: null, after: 'https://partner.example/logo.svg' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('LK-SI');
  });

  it('stays after its deletion, without personal data', async () => {
    const integratorId = await newIntegrator(fixture, 'Secretive Ltd');
    const stream = streams.integrator(integratorId);
    const events = [integratorProfileChanged({ companyName: 'Discreet Ltd' }), integratorSuspended('Eve owes us money')];
    await settled(fixture, 'read', await appendEvents(fixture, stream, events));
    await fixture.vault.destroy(integratorOwner(integratorId));
    await settled(fixture, 'read', await appendEvents(fixture, stream, [integratorDeleted()]));
    expect(summariesOf(await ofIntegrator(integratorId))).toEqual([
      'The service integrator was deleted',
      `The service integrator was suspended: ${ERASED}`,
      'Company name or email addresses changed',
      `${ERASED} was registered`,
    ]);
    const rows = await fixture.db.selectFrom('read.history').selectAll().where('integrator_id', '=', integratorId).execute();
    expect(JSON.stringify(rows)).not.toMatch(/Secretive|Discreet|Eve|partner\.example/);
    expect(await fixture.queries.history.isKept({ integratorId })).toBe(true);
    expect(await fixture.queries.history.isKept({ integratorId: randomUUID() as IntegratorId })).toBe(false);
  });
});
