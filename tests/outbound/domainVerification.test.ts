import { describe, expect, it } from 'vitest';
import { lookupVerification, txtResolver, verificationNames, verificationRecord } from '../../src/outbound/domainVerification.ts';
import { type DnsAnswer, startDnsServer } from '../support/dnsServer.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { closedAfterEach, GENEROUS_TIMEOUT_MS } from './loopback.ts';

const DOMAIN = 'portal.reseller.example';
const TOKEN = 'dG9rZW4tMTg0My1hZGE';
const RIGHT: DnsAnswer = [`latchkey-verify=${TOKEN}`];
const OTHER: DnsAnswer = ['latchkey-verify=another'];
/** Each waits a second for the timeout. */
const FURTHER_TIMEOUTS: [string, DnsAnswer, DnsAnswer, string][] = [
  ['the domain', 'silence', [], 'timed_out'],
  ['the domain', 'silence', OTHER, 'other_value'],
];
const FOREIGN: DnsAnswer = ['v=spf1 -all', 'google-site-verification=x'];

const closedAfter = closedAfterEach();

/** The result for the given DNS replies of the domain and of the name below it. */
const verify = async (apex: DnsAnswer, below: DnsAnswer, timeoutMs = GENEROUS_TIMEOUT_MS) => {
  const dns = closedAfter(await startDnsServer({ [DOMAIN]: { TXT: [apex] }, [`_latchkey.${DOMAIN}`]: { TXT: [below] } }));
  const found = await lookupVerification(DOMAIN, TOKEN, { resolveTxt: txtResolver([dns.address]), timeoutMs });
  return { ...found, asked: dns.asked.toSorted() };
};

describe('the verification of a domain', () => {
  it.each<[string, DnsAnswer, DnsAnswer, string]>([
    ['the record at the domain', RIGHT, 'nxdomain', 'verified'],
    ['the record below it', 'nxdomain', RIGHT, 'verified'],
    ['the record below it, another at the domain', OTHER, RIGHT, 'verified'],
    ['the record while the other name fails', RIGHT, 'servfail', 'verified'],
    ['the record among others', [...FOREIGN, ...OTHER, ...RIGHT], [], 'verified'],
    ['the record in pieces', [['latchkey-', 'verify=', TOKEN]], [], 'verified'],
    ['the record in quotes', [`"latchkey-verify=${TOKEN}"`], [], 'verified'],
    ['another value', OTHER, 'nxdomain', 'other_value'],
    ['another value below it', [], OTHER, 'other_value'],
    ['another value while the other name fails', OTHER, 'servfail', 'other_value'],
    ['a value that goes on', [`latchkey-verify=${TOKEN}x`], [], 'other_value'],
    ['a value in other letters', [`latchkey-verify=${TOKEN.toLowerCase()}`], [], 'other_value'],
    ['no value', ['latchkey-verify='], [], 'other_value'],
    ['the token alone', [TOKEN], [], 'no_record'],
    ['records of others', FOREIGN, [], 'no_record'],
    ['no records', [], [], 'no_record'],
    ['no records and nothing below', [], 'nxdomain', 'no_record'],
    ['no such name', 'nxdomain', 'nxdomain', 'name_not_found'],
    ['a failing name server', 'servfail', 'nxdomain', 'resolver_failed'],
    ['a failing name server below', [], 'servfail', 'resolver_failed'],
    ['a name server that refuses', 'refused', 'refused', 'resolver_failed'],
  ])('from %s: %o and %o is "%s"', async (_, apex, below, status) => {
    const found = await verify(apex, below);
    expect(found.status).toBe(status);
    expect(found.asked).toContain(`TXT ${DOMAIN}`);
    expect(found.asked).toContain(`TXT _latchkey.${DOMAIN}`);
  });

  it.each<[string, DnsAnswer, DnsAnswer, string]>([
    ['both', 'silence', 'silence', 'timed_out'],
    ['the domain', 'silence', RIGHT, 'verified'],
    ...(IS_AT_LENGTH ? FURTHER_TIMEOUTS : []),
  ])('without a reply for %s: %o and %o is "%s"', async (_, apex, below, status) => {
    expect((await verify(apex, below, 1000)).status).toBe(status);
  });

  it('is a resolver failure if no name server listens', async () => {
    const dns = await startDnsServer({});
    await dns.close();
    const found = await lookupVerification(DOMAIN, TOKEN, { resolveTxt: txtResolver([dns.address]) });
    expect(found.status).toBe('resolver_failed');
  });

  it('is a timeout if the resolver gave up', async () => {
    const resolveTxt = () => Promise.reject(Object.assign(new Error('queryTxt ETIMEOUT'), { code: 'ETIMEOUT' }));
    expect((await lookupVerification(DOMAIN, TOKEN, { resolveTxt })).status).toBe('timed_out');
  });

  it('is not queried for an invalid name', async () => {
    const dns = closedAfter(await startDnsServer({}));
    const resolveTxt = txtResolver([dns.address]);
    const tooLong = `${'x'.repeat(64)}.example`;
    expect((await lookupVerification(tooLong, TOKEN, { resolveTxt })).status).toBe('name_not_found');
    expect(dns.asked).toEqual([]);
  });

  it('needs a token', async () => {
    const resolveTxt = () => Promise.resolve([['latchkey-verify=']]);
    await expect(lookupVerification(DOMAIN, '', { resolveTxt })).rejects.toThrow(/empty token/);
  });

  it('has a distinct sentence for every result, without the records', async () => {
    const secret = 'latchkey-verify=token-of-another-tenant';
    const answers: [DnsAnswer, DnsAnswer][] = [
      [RIGHT, []],
      [[secret], []],
      [[], []],
      ['nxdomain', 'nxdomain'],
      ['servfail', 'servfail'],
      ['silence', 'silence'],
    ];
    const details: string[] = [];
    for (const [apex, below] of answers) details.push((await verify(apex, below, 1000)).detail);
    expect(new Set(details).size).toBe(answers.length);
    expect(details.filter((detail) => detail.includes('token-of-another') || !detail.includes(DOMAIN))).toEqual([]);
  });

  it('uses these names and this record', () => {
    expect(verificationNames(DOMAIN)).toEqual([DOMAIN, `_latchkey.${DOMAIN}`]);
    expect(verificationRecord(TOKEN)).toBe(`latchkey-verify=${TOKEN}`);
  });
});
