import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { username as usernameContract } from '../../src/contracts/users.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { asAdmin, asTool, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import {
  customerRegistered,
  seatClaimed,
  seatsAllocated,
  userDetailsChanged,
  userRegistered,
} from '../support/builders/customer.ts';
import { changeUserDetails, registerUser, signInUser } from '../support/builders/customerCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let customer: Customer;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  customer = await newCustomer(admin, (await newIntegrator(admin)).id);
  await asTool(server.url, customer, 'ada');
});

afterAll(() => server.close());

/** What may be put into a name so that it looks the same, or not like what it is. */
const hidden = {
  'zero-width space': '\u200b',
  'zero-width non-joiner': '\u200c',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'left-to-right mark': '\u200e',
  'right-to-left override': '\u202e',
  'first strong isolate': '\u2068',
  'Arabic letter mark': '\u061c',
  'Mongolian vowel separator': '\u180e',
  'Hangul filler': '\u3164',
  'half-width Hangul filler': '\uffa0',
  'Braille blank': '\u2800',
  'variation selector': '\ufe0f',
  'supplementary variation selector': '\u{e0100}',
  'tag letter': '\u{e0061}',
  'language tag': '\u{e0001}',
  'interlinear annotation': '\ufff9',
};

const loginAs = (username: string, email: string) =>
  clientOf(server.url).post('/api/cli/login', { licenseKey: customer.licenseKey, username, email, machineId: 'another-machine' });

describe('a user whose name looks like that of another user', () => {
  it.each(Object.entries(hidden))('cannot be registered with a %s', async (_name, character) => {
    for (const username of [`a${character}da`, `${character}ada`, `ada${character}`]) {
      const reply = await loginAs(username, 'mallory@example.com');
      // White space is trimmed, so the name is that of the existing user.
      const code = usernameContract.parse(username) === 'ada' ? [409, 'username_taken'] : [400, 'username_hidden_characters'];
      expect([reply.status, reply.body.code]).toEqual(code);
    }
  });

  it.each(['ａｄａ', 'ADA', 'ᵃda', '𝒶𝒹𝒶', ' ada '])('is the same user in another spelling: %s', async (username) => {
    expect(await loginAs(username, 'mallory@example.com')).toMatchObject({ status: 409, body: { code: 'username_taken' } });
  });

  it('cannot be renamed to one either', async () => {
    const { userId } = await asTool(server.url, customer, 'mallory');
    const rename = (username: string) =>
      admin.put(`/api/admin/users/${userId}`, { username, email: 'mallory@example.com', role: 'developer' });
    expect((await rename('a\u200bda')).body.code).toBe('username_hidden_characters');
    expect((await rename('ａｄａ')).body.code).toBe('username_taken');
    expect((await rename('Ｍａｌ')).body.user.username).toBe('Mal');
  });

  it('can have letters of any script', async () => {
    for (const username of ['Zoë', 'नमस्ते', '山田', 'Ωmega', 'Søren Ø', '👩']) {
      const { body } = await loginAs(username, `${Buffer.from(username).toString('hex').slice(0, 20)}@example.com`);
      expect(body.user.username).toBe(username);
    }
  });
});

describe('a user who was registered with such a name before', () => {
  const given = decisionSpec(customerDecider);
  const name = 'a\u200bda';
  const past = [customerRegistered(), seatsAllocated({ developerSeats: 5, stakeholderSeats: 1 })];
  const legacy = [...past, userRegistered('ada', { username: name, machineId: 'machine-1' }), seatClaimed('ada')];

  it('signs in as before', () => {
    given(...legacy)
      .when(signInUser('ada', { username: name }))
      .thenNothing();
  });

  it('keeps the name while other fields change, and can get a visible one', () => {
    given(...legacy)
      .when(changeUserDetails('ada', { username: name, email: 'new@acme.example' }))
      .then(userDetailsChanged('ada', { username: name, email: 'new@acme.example' }));
    given(...legacy)
      .when(changeUserDetails('ada', { username: 'ada' }))
      .then(userDetailsChanged('ada', { username: 'ada' }));
    given(...legacy)
      .when(changeUserDetails('ada', { username: 'ad\u200ba' }))
      .thenRefused('username_hidden_characters');
    given(...past)
      .when(registerUser('ada', { username: name }))
      .thenRefused('username_hidden_characters');
  });
});
