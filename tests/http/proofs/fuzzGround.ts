import { customerId, integratorId, userId } from '../../../src/contracts/fields.ts';
import { ADMIN_COOKIE } from '../../../src/http/requests/guard.ts';
import { asTool, bearer, type Client, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { ADMIN_KEY, type TestServer } from '../../support/server.ts';
import { type Cast, gather, MISSING } from './cast.ts';
import type { Ids, Known } from './inputs.ts';
import { nameOf, type Route } from './registeredRoutes.ts';

/** What generated inputs are sent to: things that may be changed and ended without taking anything from another route. */
export type Ground = Readonly<{
  cast: Cast;
  /** What inputs for a route may name. Routes that delete get things of their own, `count` of them. */
  knownFor: (route: Route, count: number) => Promise<Known>;
  /** Headers of whom a route is for; of a session of its own where the route ends sessions. */
  headersFor: (route: Route) => Promise<Record<string, string>>;
  /** Forgets failed sign-ins, so that the next are not all turned away before they are looked at. */
  forgetFailures: () => Promise<void>;
}>;

const THEMES = '/api/service-integrator/themes';
const ENDS_SESSIONS = /\/logout$|^POST \/api\/service-integrator\/rotate-key$/;

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Things for those routes that delete what their address names, by the name of the parameter. */
const doomed = ({ admin, mine }: Cast, route: Route, count: number): Promise<[parameter: keyof Ids, ids: string[]]> | null => {
  const { partner, portal } = mine;
  const made = async (parameter: keyof Ids, make: (index: number) => Promise<string>): Promise<[keyof Ids, string[]]> => [
    parameter,
    await times(count, make),
  ];
  switch (nameOf(route)) {
    case 'DELETE /api/admin/customers/:customerId':
      return made('customerId', async () => (await newCustomer(admin, mine.ids.integrator)).id);
    case 'DELETE /api/admin/service-integrators/:integratorId':
      return made('integratorId', async () => (await newIntegrator(admin)).id);
    case 'DELETE /api/service-integrator/themes/:themeId':
      return made('themeId', async (index) => {
        const theme = { themeName: `doomed-${index}`, displayName: 'Doomed', primaryColor: '#0070AD' };
        return (await partner.post(THEMES, theme)).body.theme.id;
      });
    case 'DELETE /api/credentials/:credentialId':
      return made('credentialId', async () => {
        const credential = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'doomed', password: 'doomed' };
        return (await portal.post('/api/credentials/store', credential)).body.credential.id;
      });
    default:
      return null;
  }
};

/** Files that the console's page loads; none where the console is not built. */
const consoleFiles = async (nobody: Client): Promise<string[]> => {
  const { body } = await nobody.get('/', { headers: { accept: 'text/html' } });
  return [...String(body).matchAll(/="\/(?:assets\/)?([\w-]+\.\w+)"/g)].flatMap(([, file]) => file ?? []);
};

export const prepareGround = async (server: TestServer): Promise<Ground> => {
  const cast = await gather(server.url);
  const { admin, mine, theirs, nobody } = cast;
  const spare = await newCustomer(admin, mine.ids.integrator, { name: 'Spare', developerSeats: -1 });
  const user = await asTool(server.url, mine.customer, 'spare');
  const integrator = await newIntegrator(admin, { companyName: 'Spare' });
  const look = { themeName: 'spare', displayName: 'Spare', primaryColor: '#0070AD' };
  const theme = (await mine.partner.post(THEMES, look)).body.theme;
  // Nobody changes whom the doors are tried with.
  const visited = await newIntegrator(admin, { companyName: 'Visited' });
  const visitor = await newCustomer(admin, visited.id, { name: 'Visitor', developerSeats: -1 });
  const known: Known = {
    ids: {
      customerId: { right: [spare.id], wrong: [theirs.ids.customer, MISSING] },
      userId: { right: [user.userId], wrong: [theirs.ids.user, MISSING] },
      integratorId: { right: [integrator.id], wrong: [MISSING] },
      serviceIntegratorId: { right: [mine.ids.integrator], wrong: [MISSING] },
      themeId: { right: [theme.id], wrong: [theirs.ids.theme, MISSING] },
      credentialId: { right: [mine.ids.credential], wrong: [theirs.ids.credential, MISSING] },
      name: { right: ['aurora'], wrong: ['neon'] },
      file: { right: ['index.html', ...(await consoleFiles(nobody))], wrong: ['swagger-ui.css', '../package.json'] },
    },
    values: {
      licenseKey: [visitor.licenseKey, visitor.licenseKey.toLowerCase(), spare.licenseKey, 'LK-ENT-0000-00000'],
      masterLicenseKey: [visited.masterLicenseKey, integrator.masterLicenseKey, 'LK-SI-0000-00000'],
      adminKey: [ADMIN_KEY, ` ${ADMIN_KEY} `],
      theme: ['aurora', 'spare', theme.id, theirs.ids.theme, null],
      currentPassword: [mine.customer.licenseKey, 'a new password'],
      newPassword: ['a new password', mine.customer.licenseKey],
    },
  };

  const clientFor = ({ audience: [kind = 'public'] }: Route): Client =>
    ({ admin, integrator: mine.partner, customer: mine.portal, cli: mine.tool, public: nobody })[kind];

  const at = {
    userId: userId.parse(mine.ids.user),
    customerId: customerId.parse(mine.ids.customer),
    integratorId: integratorId.parse(mine.ids.integrator),
  };
  /** Headers of a session that was opened just now, and that nobody else needs. */
  const newSessionFor = async ({ audience: [kind = 'public'] }: Route): Promise<Record<string, string>> => {
    if (kind === 'public') return {};
    const { token } = await server.product.sessions.open({ kind, ...at });
    return kind === 'admin' ? { cookie: `${ADMIN_COOKIE}=${token}` } : bearer(token);
  };

  return {
    cast,
    knownFor: async (route, count) => {
      const own = await doomed(cast, route, count);
      if (!own) return known;
      const [parameter, right] = own;
      return { ...known, ids: { ...known.ids, [parameter]: { right, wrong: known.ids[parameter]?.wrong ?? [] } } };
    },
    headersFor: async (route) => (ENDS_SESSIONS.test(nameOf(route)) ? newSessionFor(route) : clientFor(route).headers),
    forgetFailures: async () => {
      await server.product.db.deleteFrom('auth.sign_in_failures').execute();
    },
  };
};
