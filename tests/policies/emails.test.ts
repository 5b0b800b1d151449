import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseSmtp } from '../../src/bootstrap/parsers.ts';
import { type Commands, createCommands } from '../../src/commands/commands.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import type { AlertId, AlertRuleId, CustomerId, InvitationId, TeamId, UserId } from '../../src/domain/ids.ts';
import { EMAILS_PER_HOUR, INVITATION_MS } from '../../src/domain/limits.ts';
import type { InviteMember } from '../../src/domain/team/commands.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { createSmtpSender, type SendEmail } from '../../src/outbound/smtp.ts';
import { outboxCounts } from '../../src/policies/emails/outbox.ts';
import { sendEmails } from '../../src/policies/emails/sendEmails.ts';
import { createPolicyRunner, type PolicyRunner } from '../../src/policies/engine/runner.ts';
import { invitationPath } from '../../src/security/invitations.ts';
import { openStoreFixture } from '../eventstoreClient/adapterSupport.ts';
import { commandOf, metaOf } from '../support/builders/command.ts';
import {
  callQuotaReached,
  callQuotaSet,
  customerRegistered,
  licenseEnteredGrace,
  licenseExpired,
  licenseExpiryAnnounced,
  licenseExtended,
  licenseTermSet,
  userDeactivated,
  userRegistered,
} from '../support/builders/customer.ts';
import { alertFired, alertRule } from '../support/builders/operations.ts';
import { until } from '../support/eventually.ts';
import { type MailServer, openMailServer } from '../support/mailServer.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';

const fixture = openStoreFixture();
const invitationSecret = Buffer.alloc(32, 7);
let commands: Commands;
let mail: MailServer;
let smtp: SendEmail;
/** Gives up soon on a mail server that does not reply. */
let impatient: SendEmail;
let runner: PolicyRunner | null = null;
let errors: string[] = [];

beforeAll(async () => {
  mail = await openMailServer();
  const server = parseSmtp(mail.url);
  if (!server) throw new Error('The address of the mail server is not accepted');
  smtp = createSmtpSender(server, { from: 'licenses@example.com', timeoutMs: 30_000 });
  impatient = createSmtpSender(server, { from: 'licenses@example.com', timeoutMs: 300 });
});
afterAll(() => mail.close());
beforeEach(() => {
  commands = createCommands({ events: fixture.events });
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  mail.behave('accepts');
  errors = [];
});

const run = (send: SendEmail | null = smtp): void => {
  const policy = sendEmails({
    send,
    commands,
    events: fixture.events,
    brandOf: async () => ({ name: 'Contoso', color: '#0070AD', origin: 'https://contoso.example', tenant: 'Contoso' }),
    invitationSecret,
    fingerprint: (address) => createHash('sha256').update(address).digest('hex'),
    random: Math.random,
    backoff: { firstMs: 20, mostMs: 100 },
  });
  runner = createPolicyRunner({
    policies: [policy],
    events: fixture.events,
    db: fixture.db,
    pool: fixture.pool,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    onError: (_, error) => errors.push(String(error)),
    dueMs: 20,
    standbyMs: 20,
  });
  void runner.start();
};

const invite = async (
  name: string,
  overrides: Partial<InviteMember['data']> = {},
): Promise<{ teamId: TeamId; userId: UserId; invitationId: InvitationId; email: string }> => {
  const data = {
    teamId: `integrator.${randomUUID()}` as TeamId,
    userId: randomUUID() as UserId,
    invitationId: randomUUID() as InvitationId,
    name,
    email: `${randomUUID()}@team.example`,
    role: 'owner',
    tokenHash: '0f'.repeat(32),
    expiresAt: new Date(Date.now() + INVITATION_MS).toISOString(),
    ...overrides,
  } as const;
  const command = commandOf('InviteMember', data);
  const outcome = await commands.teams.handle({ ...command, meta: metaOf({ at: new Date().toISOString() }) });
  if (!outcome.accepted) throw new Error(outcome.refusal);
  return data;
};

const to = (address: string) => mail.received.filter((email) => email.to.includes(address));

/** Resolves once the policy has handled everything that was appended before, and has nothing due. */
const settled = async (): Promise<void> => {
  const last = await invite('last');
  await until(() => to(last.email).length > 0);
  await until(async () => {
    const note = await fixture.db
      .selectFrom('policy.note')
      .select('value')
      .where('key', '=', `invitation:${last.invitationId}`)
      .executeTakeFirst();
    return note?.value.startsWith('sent ') ?? false;
  });
};

describe('an invitation', () => {
  it('is emailed once, with its link, also when its event is handled again', async () => {
    const ana = await invite('Ana <Ruiz>');
    run();
    await until(() => to(ana.email).length === 1);
    const [email] = to(ana.email);
    const link = `https://contoso.example${invitationPath(invitationSecret, ana.invitationId)}`;
    expect(email?.text).toContain(link);
    expect(email?.html).toContain(`href="${link}"`);
    expect(email?.html).toContain('Hello Ana &lt;Ruiz&gt;');
    await runner?.stop();
    await fixture.db.deleteFrom('policy.checkpoint').execute();
    run();
    await settled();
    expect(to(ana.email)).toHaveLength(1);
  });

  it('that was replaced or withdrawn before is not sent', async () => {
    const eve = await invite('eve');
    const again = await invite('eve', { ...eve, invitationId: randomUUID() as InvitationId });
    const max = await invite('max');
    await commands.teams.handle(commandOf('RemoveMember', max));
    run();
    await settled();
    expect(to(eve.email).map(({ text }) => text.includes(again.invitationId))).toEqual([true]);
    expect(to(max.email)).toEqual([]);
  });

  it('is sent again with the same Message-ID if the process ends between sending and recording it', async () => {
    const ana = await invite('ana');
    let crashes = 0;
    run(async (email) => {
      const delivery = await smtp(email);
      if (email.to.address !== ana.email || crashes > 0) return delivery;
      crashes += 1;
      throw new Error('The process ended');
    });
    await until(() => to(ana.email).length === 2);
    await settled();
    const ids = to(ana.email).map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('is not sent without a mail server, nor later when there is one', async () => {
    const ana = await invite('ana');
    run(null);
    await until(() => runner?.status()[0]?.role === 'leading');
    await until(async () => {
      const saved = await fixture.db.selectFrom('policy.checkpoint').select('last_stream').executeTakeFirst();
      return saved?.last_stream === `team-${ana.teamId}`;
    });
    await runner?.stop();
    run();
    await settled();
    expect(to(ana.email)).toEqual([]);
  });
});

describe('an alert', () => {
  it('is emailed to owners and operators who have joined, when it fires and when it is resolved', async () => {
    const join = async (name: string, role: 'owner' | 'operator' | 'auditor') => {
      const { teamId, userId, invitationId, email } = await invite(name, { teamId: 'administration' as TeamId, role });
      const command = commandOf('AcceptInvitation', { teamId, userId, invitationId });
      await commands.teams.handle({ ...command, meta: metaOf({ at: new Date().toISOString() }) });
      return email;
    };
    const [owner, operator, auditor] = [await join('olga', 'owner'), await join('otto', 'operator'), await join('alma', 'auditor')];
    const { email: invited } = await invite('new', { teamId: 'administration' as TeamId });
    const rule = alertRule({ name: 'Many errors' });
    const meta = metaOf({ at: new Date().toISOString() });
    const { ruleId, alertId } = alertFired().data;
    await commands.alerts.handle([
      { type: 'CreateAlertRule', data: rule, meta },
      { type: 'FireAlert', data: { ...alertFired({ value: 0.0123 }).data, rule }, meta },
      { type: 'ResolveAlert', data: { ruleId, alertId }, meta },
    ]);
    run();
    const about = (address: string) => to(address).flatMap(({ text }) => text.match(/^The alert .*$/m) ?? []);
    await until(() => about(owner).length === 2 && about(operator).length === 2);
    await settled();
    expect(about(owner).sort()).toEqual([
      'The alert Many errors fired: 0.012% of the API calls of the last 5 minutes failed.',
      'The alert Many errors is resolved.',
    ]);
    expect([about(auditor), about(invited)]).toEqual([[], []]);
    expect(to(owner).at(-1)?.text).toContain('https://contoso.example/admin/monitoring/alerts');
  });
});

describe('an alert about a customer', () => {
  it('names the customer and leads to it', async () => {
    const { teamId, userId, invitationId, email } = await invite('olga', { teamId: 'administration' as TeamId, role: 'owner' });
    const command = commandOf('AcceptInvitation', { teamId, userId, invitationId });
    const meta = metaOf({ at: new Date().toISOString() });
    await commands.teams.handle({ ...command, meta });
    const customerId = randomUUID() as CustomerId;
    const registered = customerRegistered({ customerId, name: 'Acme' });
    await fixture.events.append(streams.customer(customerId), [registered], { expected: 'no_stream', meta });
    const rule = alertRule({ ruleId: randomUUID() as AlertRuleId, name: 'Seats used up', metric: 'seats', threshold: 100 });
    const data = {
      ...alertFired({ value: 100 }).data,
      ruleId: rule.ruleId,
      alertId: randomUUID() as AlertId,
      concernedId: customerId,
    };
    await commands.alerts.handle([
      { type: 'CreateAlertRule', data: rule, meta },
      { type: 'FireAlert', data: { ...data, rule }, meta },
      { type: 'ResolveAlert', data: { ruleId: rule.ruleId, alertId: data.alertId }, meta },
    ]);
    run();
    const about = () => to(email).filter(({ text }) => /^The alert Seats used up/m.test(text));
    await until(() => about().length === 2);
    expect(
      about()
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual(['Contoso: Seats used up (Acme) alert', 'Contoso: Seats used up (Acme) resolved']);
    expect(
      about()
        .map(({ text }) => text.match(/^The alert .*$/m)?.[0])
        .sort(),
    ).toEqual(['The alert Seats used up (Acme) is resolved.', 'The alert Seats used up fired: Acme uses 100% of its seats.']);
    for (const { text } of about()) expect(text).toContain(`/admin/customers/${customerId}`);
  });
});

describe('the term of a license', () => {
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  const license = async (contactEmail: string, ...steps: readonly CustomerEvent[]): Promise<CustomerId> => {
    const customerId = randomUUID() as CustomerId;
    const registered = customerRegistered({ customerId, name: 'Acme', contactEmail });
    const meta = metaOf({ at: new Date().toISOString() });
    await fixture.events.append(streams.customer(customerId), [registered, ...steps], { expected: 'no_stream', meta });
    return customerId;
  };
  const said = (address: string) => to(address).map(({ text }) => text.match(/^The (?:license|trial) .*$/m)?.[0]);

  it('is announced to the contact, with its grace and its end, unless it was changed since then', async () => {
    const [soon, past] = [inDays(7), inDays(-20)];
    const on = (iso: string) => iso.slice(0, 10);
    const [announced, grace, over, renewed] = ['announced', 'grace', 'over', 'renewed'].map(
      (name) => `${name}-${randomUUID()}@acme.example`,
    ) as [string, string, string, string];
    await license(announced, licenseTermSet({ expiresAt: soon, isTrial: true }), licenseExpiryAnnounced(7, soon));
    const inGrace = licenseTermSet({ expiresAt: past, graceDays: 30 });
    await license(grace, inGrace, licenseEnteredGrace(past, inDays(10)));
    await license(over, licenseTermSet({ expiresAt: past }), licenseExpired(past));
    await license(renewed, licenseTermSet({ expiresAt: soon }), licenseExpiryAnnounced(7, soon), licenseExtended(inDays(40)));
    run();
    await settled();
    expect(said(announced)).toEqual([
      `The trial of Acme expires on ${on(soon)}. After that the command-line tool cannot sign in with it.`,
    ]);
    expect(said(grace)).toEqual([`The license of Acme expired on ${on(past)}. It works until ${on(inDays(10))}.`]);
    expect(said(over)).toEqual([
      `The license of Acme stopped working on ${on(past)}. The command-line tool refuses to sign in with it. Calls of before the end are still recorded, and the portal stays.`,
    ]);
    expect(said(renewed)).toEqual([]);
    expect(to(over)[0]?.text).toContain('https://contoso.example/portal');
  });

  it('is announced to the administrators among the named users of a customer that has some', async () => {
    const contact = `contact-${randomUUID()}@acme.example`;
    const expiresAt = inDays(1);
    const customerId = await license(contact, licenseTermSet({ expiresAt }));
    const teamId = teamIdOf({ kind: 'customer', customerId });
    const [admin, developer] = [await invite('Ana', { teamId, role: 'admin' }), await invite('Dan', { teamId, role: 'developer' })];
    for (const { userId, invitationId } of [admin, developer]) {
      const command = commandOf('AcceptInvitation', { teamId, userId, invitationId });
      await commands.teams.handle({ ...command, meta: metaOf({ at: new Date().toISOString() }) });
    }
    const meta = metaOf({ at: new Date().toISOString() });
    await commands.customers.handle({ type: 'AdvanceLicenseTerm', data: { customerId }, meta });
    run();
    await settled();
    const received = [admin.email, developer.email, contact].map((address) => said(address).filter(Boolean).length);
    expect(received).toEqual([1, 0, 0]);
  });

  it('has a quota of API calls whose use is announced to the contact, unless it was changed since then', async () => {
    const [hard, soft, raised] = ['hard', 'soft', 'raised'].map((name) => `${name}-${randomUUID()}@acme.example`) as [
      string,
      string,
      string,
    ];
    const month = new Date().toISOString().slice(0, 7);
    await license(hard, callQuotaSet(), callQuotaReached(100, 1_000, month));
    await license(soft, callQuotaSet(1_000, 'soft'), callQuotaReached(90, 1_000, month, 'soft'));
    await license(raised, callQuotaSet(), callQuotaReached(90, 1_000, month), callQuotaSet(2_000));
    run();
    await settled();
    const sentence = (address: string) => to(address).map(({ text }) => text.match(/^Acme used .*$/m)?.[0]);
    expect(sentence(hard)).toEqual([
      expect.stringMatching(`^Acme used 100% of the API calls of ${month}: the quota is 1,000 calls. Further calls are refused`),
    ]);
    expect(sentence(soft)).toEqual([
      expect.stringMatching(
        `^Acme used 90% of the API calls of ${month}: the quota is 1,000 calls. Further calls are still recorded.`,
      ),
    ]);
    expect(to(raised)).toEqual([]);
  });
});

describe('a seat that was released because it was idle', () => {
  it('is announced to its user, also if the user is no member, and not where the user was deactivated by hand', async () => {
    const customerId = randomUUID() as CustomerId;
    const [ada, bob] = [`ada-${randomUUID()}@acme.example`, `bob-${randomUUID()}@acme.example`];
    const at = new Date().toISOString();
    const users = [userRegistered('ada', { email: ada }), userRegistered('bob', { email: bob })];
    const stream = streams.customer(customerId);
    await fixture.events.append(stream, [customerRegistered({ customerId, name: 'Acme' }), ...users], {
      expected: 'no_stream',
      meta: metaOf({ at }),
    });
    const released = userDeactivated('ada', 'Seat released automatically after 30 idle days');
    const byPolicy = metaOf({ at, actor: { kind: 'system', id: 'releaseIdleSeats' } });
    await fixture.events.append(stream, [released], { expected: 2n, meta: byPolicy });
    await fixture.events.append(stream, [userDeactivated('bob', 'left')], { expected: 3n, meta: metaOf({ at }) });
    run();
    await settled();
    expect(to(ada).map(({ text }) => text.includes('Seat released automatically after 30 idle days.'))).toEqual([true]);
    expect(to(bob)).toEqual([]);
  });
});

describe('a mail server', () => {
  it('that rejects one address does not delay the others', async () => {
    const rejected = await invite('rejected', { email: 'rejected@team.example' });
    const failed = (await outboxCounts(fixture.db)).failed;
    run(async (email) => {
      mail.behave(email.to.address === rejected.email ? 'rejects' : 'accepts');
      return smtp(email);
    });
    await settled();
    expect(await outboxCounts(fixture.db)).toMatchObject({ pending: 0, failed: failed + 1, reason: null });
    expect(errors).toEqual([]);
  });

  it('that defers, hangs, drops the connection or is down gets the email later', async () => {
    for (const mood of IS_AT_LENGTH ? (['defers', 'hangs', 'drops'] as const) : (['defers'] as const)) {
      mail.behave(mood);
      const ana = await invite('ana');
      run(mood === 'hangs' ? impatient : smtp);
      await until(async () => (await outboxCounts(fixture.db)).retried === 1);
      const { reason } = await outboxCounts(fixture.db);
      expect(reason).toMatch(mood === 'defers' ? /^451 4\.7\.1$/ : /^The mail server 127\.0\.0\.1:\d+ cannot be used \(\w+\)$/);
      const before = to(ana.email).length;
      mail.behave('accepts');
      await until(() => to(ana.email).length > before);
      await until(async () => (await outboxCounts(fixture.db)).pending === 0);
      await runner?.stop();
    }
  });

  it('sends a limited number of emails to one address within an hour', async () => {
    const email = 'popular@team.example';
    for (let n = 0; n <= EMAILS_PER_HOUR; n += 1) await invite('popular', { email });
    run();
    await settled();
    expect(to(email)).toHaveLength(EMAILS_PER_HOUR);
    expect(await outboxCounts(fixture.db)).toMatchObject({ pending: 1, retried: 0 });
  });
});
