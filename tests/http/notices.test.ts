import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { TeamMember } from '../../src/contracts/team.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  bearer,
  type Client,
  clientOf,
  cookieOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { type MailServer, openMailServer } from '../support/mailServer.ts';
import {
  asAdminMember,
  asIntegratorMember,
  asPortalMember,
  codeOf,
  invite,
  inviteUser,
  type Joined,
  join,
  login,
  PASSWORD,
} from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const ORIGIN = 'https://licenses.example.com';

let mail: MailServer;
let server: TestServer;
let url: string;
let key: Client;
let integrator: ServiceIntegrator;
let partner: Client;

beforeAll(async () => {
  mail = await openMailServer();
  server = await openServer({ SMTP_URL: mail.url, SMTP_FROM: 'licenses@example.com', PUBLIC_ORIGINS: ORIGIN });
  ({ url } = server);
  key = await asAdmin(url);
  integrator = await newIntegrator(key, { companyName: 'Contoso Partners' });
  partner = await asIntegrator(url, integrator);
});
afterAll(async () => {
  await server.close();
  await mail.close();
});
afterEach(async () => {
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  server.product.permits.forget();
});

const noticesOf = async (client: Client): Promise<{ noticeId: string; kind: string }[]> =>
  (await client.get('/api/account/notices')).body.notices;
const emailsTo = (address: string, subject: string) =>
  mail.received.filter((email) => email.to.includes(address) && email.subject.includes(subject));
const signIn = (audience: 'admin' | 'service-integrator', { email }: Joined, browser: string) =>
  clientOf(url, { 'user-agent': browser }).post(`/api/auth/${audience}/member-login`, { email, password: PASSWORD });

describe('an invitation', () => {
  it('is emailed with a link that works, and still copied', async () => {
    const { status, body } = await partner.post('/api/team/members', {
      name: 'Eve Stone',
      email: 'eve@team.example',
      role: 'manager',
    });
    expect([status, body.emailed]).toEqual([201, true]);
    const [email] = await eventually(
      () => emailsTo('eve@team.example', 'invitation'),
      ({ length }) => length > 0,
    );
    const link = `${ORIGIN}${body.path}`;
    expect(email?.text).toContain(link);
    expect(email?.subject).toBe('Your invitation to Contoso Partners on Latchkey');
    const opened = await clientOf(url).post('/api/auth/invitation', { token: link.split('#')[1] });
    expect(opened.body).toMatchObject({ name: 'Eve Stone', role: 'manager' });
    const again = await partner.post(`/api/team/members/${body.member.userId}/invitation`);
    const emails = await eventually(
      () => emailsTo('eve@team.example', 'invitation'),
      ({ length }) => length > 1,
    );
    expect(emails[1]?.text).toContain(`${ORIGIN}${again.body.path}`);
  });
});

describeAtLength('the email of an invitation', () => {
  it('that is rejected is shown as failed, to its own tenant, until it is sent again', async () => {
    mail.behave('rejects');
    const { body } = await partner.post('/api/team/members', { name: 'Typo', email: 'typo@team.example', role: 'auditor' });
    const stateOf = async (client: Client) =>
      (await client.get('/api/team')).body.members.find(({ userId }: TeamMember) => userId === body.member.userId)?.invitationEmail;
    expect(
      await eventually(
        () => stateOf(partner),
        (state) => state !== 'waiting',
      ),
    ).toBe('failed');
    expect(await stateOf(key)).toBeUndefined();
    mail.behave('accepts');
    await partner.put(`/api/team/members/${body.member.userId}`, { email: 'right@team.example' });
    expect((await partner.post(`/api/team/members/${body.member.userId}/invitation`)).body.emailed).toBe(true);
    expect(['waiting', 'sent']).toContain(await stateOf(partner));
    expect(
      await eventually(
        () => stateOf(partner),
        (state) => state !== 'waiting',
      ),
    ).toBe('sent');
    expect(emailsTo('right@team.example', 'invitation')).toHaveLength(1);
  });
});

describe('a sign-in with the key in an emergency', () => {
  it('of a service integrator notifies each owner, and is marked in the history and the list of sign-ins', async () => {
    const [one, two] = [
      await join(url, await invite(partner, 'owner')),
      await join(url, await invite(partner, 'owner', 'Ben Okoro')),
    ];
    const [ana, ben] = [await asIntegratorMember(url, one), await asIntegratorMember(url, two)];
    expect((await ana.put('/api/team/policy', { keySignIn: 'break_glass' })).body.policy.keySignIn).toBe('break_glass');
    expect((await ana.get('/api/team')).body.policy.keySignIn).toBe('break_glass');
    await eventually(
      () => partner.get('/api/team'),
      ({ status }) => status === 401,
    );

    const { masterLicenseKey } = integrator;
    const signed = await clientOf(url, { 'user-agent': FIREFOX }).post('/api/auth/service-integrator/login', { masterLicenseKey });
    expect(signed.status).toBe(200);
    partner = clientOf(url, bearer(signed.body.token));
    for (const client of [ana, ben]) {
      const [notice] = await eventually(
        () => noticesOf(client),
        ({ length }) => length === 1,
      );
      expect(notice).toMatchObject({ kind: 'break_glass', address: '127.0.0.1', browser: 'Firefox on Linux' });
    }
    const [email] = await eventually(
      () => emailsTo(one.email, 'emergency'),
      ({ length }) => length === 1,
    );
    expect(email?.text).toContain('Browser: Firefox on Linux');
    const { history } = (await key.get(`/api/admin/service-integrators/${integrator.id}/history`)).body;
    expect(history.filter(({ type }: { type: string }) => type === 'BreakGlassUsed')).toHaveLength(1);
    await eventually(
      async () => (await key.get('/api/admin/sign-ins?audience=integrator&outcome=accepted')).body.signIns,
      (signIns: { reason: string | null }[]) => signIns.some(({ reason }) => reason === 'break_glass'),
    );

    const [{ noticeId } = { noticeId: '' }] = await noticesOf(ana);
    expect((await ana.post('/api/account/notices/dismiss', { noticeIds: [noticeId] })).status).toBe(200);
    expect([await noticesOf(ana), (await noticesOf(ben)).length]).toEqual([[], 1]);
    expect(await noticesOf(partner)).toEqual([]);
    const byKey = await partner.post('/api/account/notices/dismiss', { noticeIds: [noticeId] });
    expect(byKey.body.code).toBe('member_required');
  });

  itAtLength('of a customer notifies each admin, by the portal and by the tool', async () => {
    const customer = await newCustomer(key, integrator.id, { name: 'Emergency' });
    const portal = await asCustomer(url, customer);
    const { userId } = await asTool(url, customer, 'mara');
    await portal.put(`/api/users/${userId}`, { username: 'mara', email: 'mara@team.example', role: 'admin' });
    const admin = await asPortalMember(url, await join(url, await inviteUser(portal, userId), { secondFactor: false }));
    await admin.put('/api/team/policy', { keySignIn: 'break_glass' });
    await eventually(
      () => portal.get('/api/team'),
      ({ status }) => status === 401,
    );
    expect((await clientOf(url).post('/api/auth/customer/login', { licenseKey: customer.licenseKey })).status).toBe(200);
    const [first] = await eventually(
      () => noticesOf(admin),
      ({ length }) => length > 0,
    );
    expect(first).toMatchObject({ kind: 'break_glass', address: '127.0.0.1' });
    const tool = await asTool(url, customer, 'nils');
    expect((await tool.get('/api/cli/session')).status).toBe(200);
    const both = await eventually(
      () => noticesOf(admin),
      ({ length }) => length > 1,
    );
    expect(both.map(({ kind }) => kind)).toEqual(['break_glass', 'break_glass']);
    const emails = await eventually(
      () => emailsTo('mara@team.example', 'emergency'),
      ({ length }) => length === 2,
    );
    expect(emails[0]?.text).toContain('signed in to Emergency with its key');
    await eventually(
      async () => (await admin.get('/api/customer/sign-ins')).body.signIns,
      (signIns: { reason: string | null }[]) => signIns.filter(({ reason }) => reason === 'break_glass').length === 2,
    );
    const { history } = (await admin.get('/api/customer/history')).body;
    expect(history.filter(({ type }: { type: string }) => type === 'BreakGlassUsed')).toHaveLength(2);
  });

  it('of the administration is recorded once for each of many concurrent sign-ins', async () => {
    const owner = await asAdminMember(url, await join(url, await invite(key, 'owner'), { secondFactor: false }));
    await owner.put('/api/team/policy', { keySignIn: 'break_glass' });
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => clientOf(url).post('/api/auth/admin/login', { adminKey: ADMIN_KEY })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await eventually(
      () => noticesOf(owner),
      ({ length }) => length === 4,
    );
    expect((await clientOf(url).post('/api/auth/admin/login', { adminKey: 'not the key at all' })).status).toBe(401);
    const settled = await owner.put('/api/team/policy', { keySignIn: 'allowed' });
    expect(settled.status).toBe(200);
    expect(await noticesOf(owner)).toHaveLength(4);
    const [reply] = replies;
    if (reply) key = clientOf(url, { cookie: cookieOf(reply) });
  });
});

describe('a named user', () => {
  it('is notified of a sign-in with a new browser, once, and not of the first one', async () => {
    const joined = await join(url, await invite(key, 'auditor'), { secondFactor: false });
    const first = clientOf(url, { cookie: cookieOf(await signIn('admin', joined, FIREFOX)) });
    await signIn('admin', joined, FIREFOX);
    expect(await noticesOf(first)).toEqual([]);
    const replies = await Promise.all(Array.from({ length: 3 }, () => signIn('admin', joined, CHROME)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    await signIn('admin', joined, CHROME);
    const [notice, ...others] = await eventually(
      () => noticesOf(first),
      ({ length }) => length > 0,
    );
    expect(notice).toMatchObject({ kind: 'new_sign_in', browser: 'Chrome on Windows', address: '127.0.0.1' });
    expect(others).toEqual([]);
    // The event names the session that the sign-in opened.
    const { history } = (await key.get('/api/admin/history')).body;
    const noticed = history.find(({ type }: { type: string }) => type === 'NewSignInNoticed');
    const { sessions } = (await first.get('/api/account/sessions')).body;
    expect(sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toContain(noticed.actor.sessionId);
    const [email] = await eventually(
      () => emailsTo(joined.email, 'new sign-in'),
      ({ length }) => length > 0,
    );
    expect(email?.text).toContain('Browser: Chrome on Windows');

    const long = new Date(Date.now() - 91 * 86_400_000);
    await server.product.db
      .updateTable('auth.member_place')
      .set({ used_at: long })
      .where('user_id', '=', joined.userId as never)
      .execute();
    await first.post('/api/account/notices/dismiss', { noticeIds: [notice?.noticeId ?? ''] });
    await signIn('admin', joined, FIREFOX);
    await eventually(
      () => noticesOf(first),
      ([again]) => again?.kind === 'new_sign_in',
    );
  });

  it('is notified of wrong codes after the right password, once an hour', async () => {
    const joined = await join(url, await invite(key, 'auditor'));
    const { email, secret } = joined;
    if (secret === null) throw new Error('There is no second factor');
    const member = await asAdminMember(url, joined);
    const wrong = () => login(url, 'admin', { email, code: codeOf(secret, 100) });
    expect([(await wrong()).body.code, (await wrong()).body.code]).toEqual(['wrong_code', 'wrong_code']);
    expect(await noticesOf(member)).toEqual([]);
    await wrong();
    const [notice] = await eventually(
      () => noticesOf(member),
      ({ length }) => length === 1,
    );
    expect(notice?.kind).toBe('wrong_codes');
    await member.post('/api/account/notices/dismiss', { noticeIds: [notice?.noticeId ?? ''] });
    await wrong();
    await eventually(
      () => emailsTo(email, 'wrong codes'),
      ({ length }) => length === 1,
    );
    expect(await noticesOf(member)).toEqual([]);
  });

  it('leaves nothing behind when removed', async () => {
    const joined = await join(url, await invite(key, 'auditor'), { secondFactor: false });
    await signIn('admin', joined, FIREFOX);
    await signIn('admin', joined, CHROME);
    const rowsIn = async (table: 'auth.member_place' | 'read.notice') =>
      (
        await server.product.db
          .selectFrom(table)
          .select('user_id')
          .where('user_id', '=', joined.userId as never)
          .execute()
      ).length;
    await eventually(
      () => rowsIn('read.notice'),
      (n) => n === 1,
    );
    expect(await rowsIn('auth.member_place')).toBe(2);
    expect((await key.delete(`/api/team/members/${joined.userId}`)).status).toBe(200);
    await eventually(
      () => rowsIn('auth.member_place'),
      (n) => n === 0,
    );
    expect(await rowsIn('read.notice')).toBe(0);
  });
});
