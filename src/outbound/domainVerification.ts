import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { codeOf } from './failure.ts';

export type VerificationStatus = 'verified' | 'no_record' | 'other_value' | 'name_not_found' | 'resolver_failed' | 'timed_out';

/** `detail` is a sentence for users and contains no data from the name servers. */
export type Verification = Readonly<{ status: VerificationStatus; detail: string }>;

/** The TXT records of a name, each as its strings. Rejects with the codes of `node:dns`. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

const PREFIX = 'latchkey-verify=';
const VERIFICATION_TIMEOUT_MS = 5000;

/** The TXT record that verifies a domain. */
export const verificationRecord = (token: string): string => `${PREFIX}${token}`;

/** The names that are queried. The second is needed because a name with a CNAME record cannot have a TXT record. */
export const verificationNames = (domain: string): readonly [string, string] => [domain, `_latchkey.${domain}`];

/** Queries the given name servers (`address` or `address:port`), by default those of the system. */
export const txtResolver = (servers: readonly string[] = []): ResolveTxt => {
  const resolver = new Resolver({ timeout: VERIFICATION_TIMEOUT_MS / 4, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return (name) => resolver.resolveTxt(name);
};

const statusOfError = (error: unknown): VerificationStatus => {
  const code = codeOf(error);
  if (code === 'ENODATA') return 'no_record';
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return 'name_not_found';
  return code === 'ETIMEOUT' ? 'timed_out' : 'resolver_failed';
};

/** Removes the quotes that zone files require, because users paste them. */
const unquoted = (record: string): string => record.trim().replace(/^"(.*)"$/, '$1');

const queryName = async (name: string, record: string, resolveTxt: ResolveTxt): Promise<VerificationStatus> => {
  try {
    const records = (await resolveTxt(name)).map((strings) => unquoted(strings.join('')));
    if (records.includes(record)) return 'verified';
    return records.some((found) => found.toLowerCase().startsWith(PREFIX)) ? 'other_value' : 'no_record';
  } catch (error) {
    return statusOfError(error);
  }
};

/** The first status of these is reported. A failed query precedes a missing record, because the record may exist. */
const PRECEDENCE = ['verified', 'other_value', 'timed_out', 'resolver_failed', 'no_record', 'name_not_found'] as const;

const detailOf = (status: VerificationStatus, domain: string): string => {
  const [, second] = verificationNames(domain);
  switch (status) {
    case 'verified':
      return `${domain} is verified.`;
    case 'other_value':
      return `The ${PREFIX} record of ${domain} has another value. Replace it with the value shown here.`;
    case 'no_record':
      return `There is no ${PREFIX} TXT record at ${domain} or ${second} yet. Propagation can take up to 48 hours.`;
    case 'name_not_found':
      return `The domain ${domain} does not exist in DNS. Check the spelling, or wait until it is registered.`;
    case 'resolver_failed':
      return `The name servers of ${domain} replied with an error. Try again later.`;
    case 'timed_out':
      return `The name servers of ${domain} did not reply in time. Try again later.`;
  }
};

/** Queries `latchkey-verify=<token>` at the domain and at `_latchkey.` below it, concurrently. DNS errors are statuses, not exceptions. */
export const lookupVerification = async (
  domain: string,
  token: string,
  { resolveTxt, timeoutMs = VERIFICATION_TIMEOUT_MS }: Readonly<{ resolveTxt: ResolveTxt; timeoutMs?: number }>,
): Promise<Verification> => {
  if (token === '') throw new Error('A domain cannot be verified by an empty token');
  const record = verificationRecord(token);
  const deadline = new AbortController();
  const late = once(deadline.signal, 'abort').then((): VerificationStatus => 'timed_out');
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const found = await Promise.all(
    verificationNames(domain).map((name) => Promise.race([queryName(name, record, resolveTxt), late])),
  );
  clearTimeout(timer);
  const status = PRECEDENCE.find((candidate) => found.includes(candidate)) ?? 'resolver_failed';
  return { status, detail: detailOf(status, domain) };
};
