import { verificationRecord } from '../../src/outbound/domainVerification.ts';
import { type Client, clientOf, expectStatus, type Reply } from './apiClient.ts';

export type OpenIdArea = 'admin' | 'service-integrator' | 'customer';

/** Settings that are accepted, for a provider and its client. */
export const settingsOf = (issuer: string, overrides: Record<string, unknown> = {}) => ({
  issuer,
  clientId: 'latchkey',
  clientSecret: 'a-secret-of-the-client',
  domains: ['team.example'],
  roleClaim: null,
  roles: [],
  defaultRole: null,
  newUsersJoin: false,
  secondFactor: 'never',
  ...overrides,
});

const PATH = '/api/team/identity-provider';

/** The TXT records of all names: a name server that tests write to. */
export const openZone = () => {
  const records = new Map<string, string[]>();
  return {
    resolveTxt: async (name: string): Promise<string[][]> => {
      const found = records.get(name);
      if (!found) throw Object.assign(new Error(`queryTxt ENODATA ${name}`), { code: 'ENODATA' });
      return found.map((record) => [record]);
    },
    set: (name: string, ...values: string[]): void => void records.set(name, values),
    verificationRecord,
  };
};
export type Zone = ReturnType<typeof openZone>;

/** Sets up a provider and verifies its domains. */
export const setUpProvider = async (owner: Client, zone: Zone, settings: ReturnType<typeof settingsOf>): Promise<void> => {
  const { body } = expectStatus(await owner.put(PATH, settings), 200);
  for (const domain of settings.domains) zone.set(domain, body.record);
  const verified = expectStatus(await owner.post(`${PATH}/verify`), 200);
  if (!verified.body.domains.every((one: { verified: boolean }) => one.verified)) throw new Error(JSON.stringify(verified.body));
};

/** A browser's start of a sign-in: the address at the provider, and the cookie. */
export const begin = async (
  url: string,
  area: OpenIdArea,
  email: string,
  client: Client = clientOf(url),
): Promise<{ address: URL; cookie: string }> => {
  const reply = expectStatus(await client.post(`/api/auth/${area}/openid`, { email }), 200);
  const cookie = reply.headers.getSetCookie().find((set) => /^latchkey_openid_\w+=./.test(set));
  return { address: new URL(reply.body.url), cookie: cookie?.split(';')[0] ?? '' };
};

/** The return of the browser with the parameters of an address. */
export const finish = (
  url: string,
  area: OpenIdArea,
  cookie: string,
  returned: URLSearchParams | Record<string, string>,
  client: Client = clientOf(url),
): Promise<Reply> => {
  const all = returned instanceof URLSearchParams ? Object.fromEntries(returned) : returned;
  const body = Object.fromEntries(Object.entries(all).filter(([name]) => ['state', 'code', 'iss', 'error'].includes(name)));
  return client.post(`/api/auth/${area}/openid/callback`, body, { headers: { cookie } });
};
