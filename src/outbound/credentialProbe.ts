import type { Service } from '../domain/enumerations.ts';
import { azureDevOps } from './azureDevOps.ts';
import { confluence } from './confluence.ts';
import { guardedGet, type Reach } from './guardedGet.ts';
import { jira } from './jira.ts';
import { type BasicLogin, basicCredentials, type Login, type ThirdParty } from './thirdParty.ts';
import { failureVerdict, type Verdict, verdictOf } from './verdict.ts';

const services: Readonly<Record<Service, ThirdParty>> = { jira, confluence, azdo: azureDevOps };

/** A decrypted credential, with the service and the instance URL to test it on. */
export type ProbedCredential = Login & Readonly<{ service: Service; instanceUrl: string }>;

/** `detail` is for users, has at most 500 characters and contains no secret. `durationMs` is a whole number. */
export type ProbeResult = Verdict & Readonly<{ durationMs: number }>;

const baseOf = (instanceUrl: string): URL | null => {
  if (!URL.canParse(instanceUrl)) return null;
  const url = new URL(instanceUrl);
  url.search = '';
  url.hash = '';
  if (url.hostname !== '') url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
};

const headersOf = (service: ThirdParty, basic: BasicLogin): Record<string, string> => ({
  ...service.headers,
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'latchkey',
  authorization: `Basic ${basicCredentials(basic)}`,
});

const probe = async ({ service: key, instanceUrl, ...login }: ProbedCredential, reach: Reach): Promise<Verdict> => {
  const service = services[key];
  const base = baseOf(instanceUrl);
  if (!base) return { ok: false, detail: 'The instance URL is not a valid URL.' };
  const basic = service.basic(login);
  // HTTP Basic separates user name and password at the first colon.
  if (basic.user.includes(':')) return { ok: false, detail: 'A username with a colon cannot be used to sign in.' };
  const asked = service.endpoint(base);
  const fetched = await guardedGet(asked, headersOf(service, basic), reach);
  return fetched.ok ? verdictOf(fetched.answer, asked, service, login) : failureVerdict(fetched.failure, asked, service);
};

/**
 * Tests a credential with one request to its service, of at most 5 s and 64 KiB, to public addresses and those of `allow`.
 * Failures of the service or the network are results with `ok: false`; throws only on bugs. `clock` is in ms.
 */
export const probeCredential = async (
  credential: ProbedCredential,
  { clock, ...reach }: Reach & Readonly<{ clock: () => number }>,
): Promise<ProbeResult> => {
  const begun = clock();
  const { ok, detail } = await probe(credential, reach);
  return { ok, detail, durationMs: Math.max(0, Math.round(clock() - begun)) };
};
