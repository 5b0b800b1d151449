import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { createPasswordStrength } from '../../src/security/passwordStrength.ts';
import { asAdmin, asCustomer, type Client, clientOf, newCustomer, newIntegrator, type Reply } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'violet lantern quarry';

let server: TestServer;
let customer: Customer;
let nobody: Client;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  const admin = await asAdmin(server.url);
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
