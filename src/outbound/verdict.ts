import type { Failure } from './failure.ts';
import type { Answer } from './guardedGet.ts';
import { basicCredentials, type Login, type ThirdParty } from './thirdParty.ts';

/** `detail` is a sentence for users. It contains no secret, and no data of the remote server except for the host of a redirect. */
export type Verdict = Readonly<{ ok: boolean; detail: string }>;

const SHOWN_HOST = 100;
const refused = (detail: string): Verdict => ({ ok: false, detail });
const shortened = (host: string): string => (host.length > SHOWN_HOST ? `${host.slice(0, SHOWN_HOST)}…` : host);

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const secretsOf = (service: ThirdParty, login: Login): readonly string[] =>
  [login.username, login.password ?? '', login.apiToken ?? '', basicCredentials(service.basic(login)).replace(/=+$/, '')]
    .filter((secret) => secret !== '')
    .map((secret) => secret.toLowerCase());

/** Scheme and host of a redirect. Omits path and query, and a host with a secret, because they may repeat the credential. */
const redirectTarget = (answer: Answer, asked: URL, secrets: readonly string[]): string => {
  const location = answer.header('location') ?? '';
  if (location === '' || !URL.canParse(location, asked.href)) return 'somewhere else';
  const { origin, host } = new URL(location, asked);
  if (origin === asked.origin) return 'another page of the same host';
  if (origin === 'null' || secrets.some((secret) => host.includes(secret))) return 'somewhere else';
  return shortened(origin);
};

const ofRefusal = ({ header }: Answer, { name }: ThirdParty): string =>
  header('x-authentication-denied-reason')?.includes('CAPTCHA')
    ? `${name} requires a CAPTCHA after failed sign-ins. Sign in once in a browser, then test again (403).`
    : `${name} does not allow this account to use its API (403).`;

const ofSuccess = (answer: Answer, service: ThirdParty, login: Login): Verdict => {
  const body = parsed(answer.body);
  if (body === undefined)
    return refused(`The reply is not JSON, so this is not the address of ${service.name}. Check the instance URL.`);
  const recognition = service.recognize(body);
  if (recognition === 'signed_in') return { ok: true, detail: `${service.name} accepted the login.` };
  return recognition === 'anonymous'
    ? refused(`${service.name} did not recognize the ${service.loginName(login)} and replied as to an anonymous user.`)
    : refused(`The reply does not come from ${service.name}. Check the service and the instance URL.`);
};

/** Interprets the response to the URL `asked`. */
export const verdictOf = (answer: Answer, asked: URL, service: ThirdParty, login: Login): Verdict => {
  const { name } = service;
  const { status } = answer;
  if (service.asksToSignIn(answer))
    return refused(`${name} redirects to its sign-in page: the ${service.loginName(login)} is wrong or has expired.`);
  if (status === 200) return ofSuccess(answer, service, login);
  if (status === 401) return refused(`${name} refused the ${service.loginName(login)} (401).`);
  if (status === 403) return refused(ofRefusal(answer, service));
  if (status === 404) return refused(`${name} was not found at this address (404). Check the instance URL.`);
  if (status === 429) return refused(`${name} received too many requests (429). Test again later.`);
  if (status >= 500) return refused(`${name} replied with a server error (${status}). Test again later.`);
  if (status >= 300 && status < 400) {
    return refused(
      `The instance URL redirects to ${redirectTarget(answer, asked, secretsOf(service, login))} (${status}). Redirects are not followed. Check the instance URL.`,
    );
  }
  return refused(`${name} does not reply with status ${status} here. Check the instance URL.`);
};

/** Why there is no answer from `asked`: `field` is what users entered, and `name` whose address it should be. */
export const failureText = (failure: Failure, asked: URL, { name, field }: { name: string; field: string }): string => {
  const host = shortened(asked.host);
  switch (failure.kind) {
    case 'unsupported_url':
      return `The ${field} must have the form https://host/path, without a username, a password or port 0.`;
    case 'address_refused':
      return `${host} resolves to ${failure.address}, which this server is not allowed to reach.`;
    case 'plain_refused':
      return `The ${field} must start with https. Otherwise the login is sent unencrypted.`;
    case 'name_not_found':
      return `The host name ${host} does not exist. Check the ${field}.`;
    case 'lookup_failed':
      return `The host name ${host} could not be resolved because the name server failed. Test again later.`;
    case 'connection_refused':
      return `${host} refused the connection.`;
    case 'connection_closed':
      return `${host} closed the connection before it replied.`;
    case 'unreachable':
      return `${host} cannot be reached over the network.`;
    case 'tls':
      return `No secure connection to ${host}: ${failure.reason}.`;
    case 'timed_out':
      return `${host} did not reply within ${failure.afterMs / 1000} s.`;
    case 'too_large':
      return `The reply is larger than ${failure.maxBytes / 1024} KiB, so this is not the address of ${name}. Check the ${field}.`;
    case 'not_http':
      return `${host} does not speak HTTP on this port.`;
    case 'failed':
      return `The connection to ${host} failed (${failure.code}).`;
  }
};

/** What the lack of an answer from `asked` says about a service. */
export const failureVerdict = (failure: Failure, asked: URL, { name }: ThirdParty): Verdict =>
  refused(failureText(failure, asked, { name, field: 'instance URL' }));
