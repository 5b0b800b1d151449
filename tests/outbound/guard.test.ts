import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowListOf } from '../../src/outbound/addressSpace.ts';
import { AddressRefused, LookupFailed, PlainRefused, permittedAddresses, type Resolver } from '../../src/outbound/guard.ts';
import { guardedGet } from '../../src/outbound/guardedGet.ts';
import { type DnsServer, type DnsZone, startDnsServer } from '../support/dnsServer.ts';
import { startThirdParty, type ThirdParty } from '../support/thirdParties.ts';
import { closedAfterEach } from './loopback.ts';
import {
  colons,
  dotted,
  forbiddenV4,
  forbiddenV6,
  isForbiddenV4,
  isForbiddenV6,
  publicV4,
  publicV6,
  spelledV4,
  spelledV6,
} from './spellings.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const runs = { numRuns: 500 };

const closedAfter = closedAfterEach();
const dns = async (zone: DnsZone): Promise<DnsServer> => closedAfter(await startDnsServer(zone));
const thirdParty = async (): Promise<ThirdParty> =>
  closedAfter(await startThirdParty('jira', { username: 'ada', secret: 'lovelace' }));

const neverAsked: Resolver = () => Promise.reject(new Error('A literal address was looked up'));
const answering =
  (...addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(addresses);
const permitted = (hostname: string, { allow = [], resolver = neverAsked, plain = false }: Partial<Asked> = {}) =>
  permittedAddresses(hostname, plain, { allow: allowListOf(allow), resolver });
type Asked = { allow: readonly string[]; resolver: Resolver; plain: boolean };

describe('a literal address', () => {
  it('that is not public is refused in every spelling of IPv4, before anything is connected', async () => {
    const spelled = forbiddenV4.chain((address) => spelledV4(address));
    await fc.assert(
      fc.asyncProperty(spelled, fc.constantFrom('http', 'https'), async (host, scheme) => {
        const fetched = await guardedGet(new URL(`${scheme}://${host}:1/`), {}, { allow: [], resolver: neverAsked });
        expect(fetched).toMatchObject({ ok: false, failure: { kind: 'address_refused' } });
      }),
      runs,
    );
  });

  it('that is not public is refused in every spelling of IPv6, before anything is connected', async () => {
    const spelled = forbiddenV6.chain((address) => spelledV6(address));
    await fc.assert(
      fc.asyncProperty(spelled, fc.constantFrom('http', 'https'), async (host, scheme) => {
        const fetched = await guardedGet(new URL(`${scheme}://${host}:1/`), {}, { allow: [], resolver: neverAsked });
        expect(fetched).toMatchObject({ ok: false, failure: { kind: 'address_refused' } });
      }),
      runs,
    );
  });

  it('that is public is permitted over https and not over plain http', async () => {
    const addresses = fc.oneof(publicV4.map(dotted), publicV6.map(colons));
    await fc.assert(
      fc.asyncProperty(addresses, async (address) => {
        expect(await permitted(address)).toEqual([address]);
        await expect(permitted(address, { plain: true })).rejects.toThrow(PlainRefused);
      }),
      runs,
    );
  });

  it('that the operator has allowed is permitted in every spelling, also over plain http', async () => {
    const server = await thirdParty();
    await fc.assert(
      fc.asyncProperty(spelledV4(0x7f000001n), async (host) => {
        const url = new URL(`http://${host}:${server.port}/`);
        expect(await guardedGet(url, {}, { allow: ['127.0.0.1/32'], resolver: neverAsked })).toMatchObject({ ok: true });
      }),
      { numRuns: 60 },
    );
    expect(server.requests).toHaveLength(60);
  });
});

describe('a name', () => {
  it('resolves to all of its addresses if every one is public', async () => {
    const { resolve } = await dns({ 'jira.example.test': { A: [[PUBLIC, '93.184.216.35']], AAAA: [[PUBLIC_V6]] } });
    expect(await permitted('jira.example.test', { resolver: resolve })).toEqual([PUBLIC, '93.184.216.35', PUBLIC_V6]);
  });

  it.each([
    ['a loopback address', { A: [['127.0.0.1']] }],
    ['a link-local address', { A: [['169.254.169.254']] }],
    ['a private address', { A: [[PUBLIC, '10.0.0.1']] }],
    ['a private address', { A: [['10.0.0.1', PUBLIC]] }],
    ['a loopback address', { A: [[PUBLIC]], AAAA: [['::1']] }],
    ['an IPv4 address inside IPv6', { AAAA: [['::ffff:7f00:1']] }],
    ['an IPv4 address inside IPv6', { A: [[PUBLIC]], AAAA: [['64:ff9b::7f00:1']] }],
  ] as const)('that leads to %s anywhere is refused as a whole: %o', async (kind, records) => {
    const { resolve } = await dns({ 'jira.example.test': records });
    const refusal = await permitted('jira.example.test', { resolver: resolve }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AddressRefused);
    expect(refusal).toMatchObject({ kind });
  });

  it('is refused exactly if one of its addresses is neither public nor allowed', async () => {
    const allow = ['10.1.0.0/16', 'fd00::/16'];
    const allowed = (address: string): boolean => allowListOf(allow)(address);
    const v4 = fc.oneof(forbiddenV4, publicV4).map((address) => ({ address: dotted(address), fine: !isForbiddenV4(address) }));
    const v6 = fc.oneof(forbiddenV6, publicV6).map((address) => ({ address: colons(address), fine: !isForbiddenV6(address) }));
    const named = fc.constantFrom('10.1.2.3', 'fd00::1').map((address) => ({ address, fine: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(v4, v6, named), { minLength: 1, maxLength: 6 }), async (found) => {
        const addresses = found.map(({ address }) => address);
        const asked = permitted('jira.example.test', { allow, resolver: answering(...addresses) });
        if (found.every(({ address, fine }) => fine || allowed(address))) expect(await asked).toEqual(addresses);
        else await expect(asked).rejects.toThrow(AddressRefused);
      }),
      runs,
    );
  });

  it('is permitted over plain http only if all of its addresses are allowed', async () => {
    const asked = (...addresses: readonly string[]) =>
      permitted('jira.example.test', { plain: true, allow: ['10.1.0.0/16'], resolver: answering(...addresses) });
    expect(await asked('10.1.0.1', '10.1.0.2')).toEqual(['10.1.0.1', '10.1.0.2']);
    await expect(asked('10.1.0.1', PUBLIC)).rejects.toThrow(PlainRefused);
  });

  it.each([
    ['does not exist', 'nxdomain', 'ENOTFOUND'],
    ['fails', 'servfail', 'ESERVFAIL'],
    ['may not be asked', 'refused', 'EREFUSED'],
  ] as const)('that %s says why', async (_, answer, code) => {
    const { resolve } = await dns({ 'jira.example.test': { A: [answer], AAAA: [answer] } });
    const failed = await permitted('jira.example.test', { resolver: resolve }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(LookupFailed);
    expect(failed).toMatchObject({ cause: { code } });
  });

  it('without any address is not found', async () => {
    await expect(permitted('jira.example.test', { resolver: answering() })).rejects.toThrow(LookupFailed);
  });

  it('whose resolver returns a word instead of an address is refused', async () => {
    await expect(permitted('jira.example.test', { resolver: answering('localhost') })).rejects.toThrow(AddressRefused);
  });
});

describe('a name whose addresses change', () => {
  it('from a public address to loopback is refused at the second connection', async () => {
    const server = await thirdParty();
    const { resolve } = await dns({ 'rebind.example.test': { A: [[PUBLIC], ['127.0.0.1']] } });
    expect(await permitted('rebind.example.test', { resolver: resolve })).toEqual([PUBLIC]);
    const second = await guardedGet(new URL(`https://rebind.example.test:${server.port}/`), {}, { allow: [], resolver: resolve });
    expect(second).toMatchObject({ ok: false, failure: { kind: 'address_refused', address: 'a loopback address' } });
    expect(server.connections()).toBe(0);
  });

  it('between the check and the connection resolves to the checked address', async () => {
    const server = await thirdParty();
    const { resolve, asked } = await dns({ 'rebind.example.test': { A: [['127.0.0.1'], ['10.0.0.1']] } });
    const reach = { allow: ['127.0.0.1/32'], resolver: resolve };
    const url = new URL(`http://rebind.example.test:${server.port}/`);
    expect(await guardedGet(url, {}, reach)).toMatchObject({ ok: true });
    expect(asked.filter((question) => question.startsWith('A '))).toHaveLength(1);
    expect(server.requests).toMatchObject([{ headers: { host: url.host } }]);
    expect(await guardedGet(url, {}, reach)).toMatchObject({ ok: false, failure: { kind: 'address_refused' } });
    expect(server.connections()).toBe(1);
  });
});
