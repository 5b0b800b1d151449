import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { ACCOUNT_GUESSES } from '../../src/security/accountGuesses.ts';
import { createPasswordStrength } from '../../src/security/passwordStrength.ts';
import { asAdmin, asCustomer, type Client, clientOf, newCustomer, newIntegrator, type Reply } from '../support/apiClient.ts';
import { eventually, until } from '../support/eventually.ts';
import { invite, join, PASSWORD as MEMBER_PASSWORD } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'violet lantern quarry';

let server: TestServer;
let admin: Client;
let customer: Customer;
let nobody: Client;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  admin = await asAdmin(server.url);
  customer = await newCustomer(admin, (await newIntegrator(admin)).id);
  const portal = await asCustomer(server.url, customer);
  const change = { currentPassword: customer.licenseKey, newPassword: PASSWORD };
  expect((await portal.post('/api/customer/change-password', change)).status).toBe(200);
  nobody = clientOf(server.url);
});

afterAll(() => server.close());

const signIn = (address: string, password: string): Promise<Reply> =>
  nobody.post(
    '/api/auth/customer/login',
    { licenseKey: customer.licenseKey, password },
    { headers: { 'x-forwarded-for': address } },
  );

describe('an attacker who knows a license key and guesses its portal password', () => {
  it('gets at most ten guesses a minute from an address, even in parallel', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => signIn('192.0.2.1', `guess ${n}`)));
    const codes = replies.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'wrong_password').length).toBeLessThanOrEqual(10);
    expect(codes.filter((code) => code === 'too_many_attempts').length).toBeGreaterThanOrEqual(50);
    expect(await signIn('192.0.2.1', PASSWORD)).toMatchObject({ status: 429 });
  });

  it('does not prevent the owner from signing in from another address', async () => {
    expect(await signIn('192.0.2.2', PASSWORD)).toMatchObject({ status: 200 });
  });

  it('gets the same reply for every wrong password', async () => {
    const wrong = ['x', PASSWORD.toUpperCase(), `${PASSWORD} `, customer.licenseKey, 'y'.repeat(128)];
    const replies = await Promise.all(wrong.map((password) => signIn('192.0.2.3', password)));
    const [first] = replies;
    for (const { status, body } of replies) expect({ status, body }).toEqual({ status: 401, body: first?.body });
  });
});

describe('an attacker who guesses the password of a named user from many addresses', () => {
  const signInNamed = (email: string, password: string, address: string): Promise<Reply> =>
    nobody.post('/api/auth/admin/member-login', { email, password }, { headers: { 'x-forwarded-for': address } });
  const guessed = (email: string, network: string, count: number): Promise<Reply>[] =>
    Array.from({ length: count }, (_, n) => signInNamed(email, `guess ${n}`, `${network}.${n + 1}`));

  it('waits for turns, with the same replies for an unknown address, and locks nobody out', async () => {
    const { accountGuesses } = server.product;
    const { email } = await join(server.url, await invite(admin, 'auditor'), { secondFactor: false });
    const home = '203.0.113.10';
    expect((await signInNamed(email, MEMBER_PASSWORD, home)).status).toBe(200);
    const unknown = 'nobody@team.example';
    const first = await Promise.all([...guessed(email, '198.18.0', ACCOUNT_GUESSES.failures), ...guessed(unknown, '198.18.1', 20)]);
    expect(new Set(first.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['401 wrong_email_or_password']));
    expect(accountGuesses.waiting()).toBe(0);

    const flood = [...guessed(email, '198.18.2', 8), ...guessed(unknown, '198.18.3', 8)];
    await eventually(
      () => accountGuesses.waiting(),
      (waiting) => waiting > 1,
    );
    expect((await signInNamed(email, MEMBER_PASSWORD, home)).status).toBe(200);
    // A new place gets its turn.
    expect((await signInNamed(email, MEMBER_PASSWORD, '203.0.113.11')).status).toBe(200);
    const replies = await Promise.all(flood);
    const codes = (of: readonly Reply[]) => of.map(({ status, body }) => `${status} ${body.code}`);
    expect(codes(replies.slice(0, 8))).toEqual(codes(replies.slice(8)));
    /** Signs in, and resolves to how many sign-ins waited for their turn meanwhile. */
    const waitedFrom = async (address: string): Promise<number> => {
      let [most, isOver] = [0, false];
      const reply = signInNamed(email, MEMBER_PASSWORD, address).finally(() => {
        isOver = true;
      });
      await until(() => {
        most = Math.max(most, accountGuesses.waiting());
        return isOver;
      });
      expect(await reply).toMatchObject({ status: 200 });
      return most;
    };
    // The place from which the user signed in before does not wait; a new one does.
    expect([await waitedFrom(home), await waitedFrom('203.0.113.12')]).toEqual([0, 1]);
  });
});

describe('a password that is expensive to evaluate', () => {
  it('is evaluated by its first 32 characters only', async () => {
    const isGuessable = createPasswordStrength();
    const strong = 'kX9#mPq2vL-violet-lantern-quarry';
    expect(strong).toHaveLength(32);
    expect(await isGuessable(strong, [])).toBe(false);
    expect(await isGuessable(strong + 'p4$$w0rd@1'.repeat(100_000), [])).toBe(false);
    expect(await isGuessable('p4$$w0rd'.repeat(4) + strong, [])).toBe(true);
  });
});
