import { recordUserActivity } from '../../commands/activity.ts';
import { enrolCustomer } from '../../commands/enrolCustomer.ts';
import { credentialId, customerId, integratorId, themeId, userId } from '../../contracts/fields.ts';
import type { CredentialCommand } from '../../domain/credential/commands.ts';
import type { CustomerCommand } from '../../domain/customer/commands.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { IntegratorCommand } from '../../domain/integrator/commands.ts';
import type { ThemeCommand } from '../../domain/theme/commands.ts';
import { newLicenseKey, newMasterLicenseKey } from '../../security/keys.ts';
import type { Product } from '../product.ts';
import { type CastCustomer, type CastUser, castCustomers, castThemes, integrators } from './cast.ts';
import { type Random, seededRandom } from './random.ts';
import { yearOfUsage } from './yearOfUsage.ts';

const DAY_MS = 86_400_000;
/** Appends under way at once: enough to keep the store busy, few enough for requests to get through. */
const APPENDS = 16;

export type SeededCustomer = Readonly<{ customerId: CustomerId; licenseKey: string; cast: CastCustomer; firstUser: UserId }>;
export type Seeded = Readonly<{ customers: readonly SeededCustomer[]; masterLicenseKeys: readonly string[] }>;

type Stage = Readonly<{ product: Product; keyPrefix: string; random: Random }>;

const must = <Outcome extends { accepted: boolean }>(outcome: Outcome, what: string): Extract<Outcome, { accepted: true }> => {
  if (!outcome.accepted) throw new Error(`The demo could not ${what}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { accepted: true }>;
};

/** The demo's past is written as what it is: commands of days gone by. */
const metaAt = ({ product }: Stage, daysAgo: number): EventMeta => ({
  actor: { kind: 'admin', id: 'admin' },
  commandId: product.newId(),
  correlationId: product.newId(),
  causationId: null,
  at: new Date(product.now() - daysAgo * DAY_MS).toISOString(),
});

const addUser = async (stage: Stage, customer: CustomerId, user: CastUser, daysAgo: number): Promise<UserId> => {
  const { product, random } = stage;
  const id = userId.parse(product.newId());
  const { username, email, role, machineId, status } = user;
  const target = { customerId: customer, userId: id };
  const commands: CustomerCommand[] = [
    { type: 'RegisterUser', data: { ...target, username, email, role, machineId }, meta: metaAt(stage, daysAgo) },
  ];
  if (status === 'inactive') commands.push({ type: 'DeactivateUser', data: target, meta: metaAt(stage, daysAgo / 2) });
  if (status === 'suspended') commands.push({ type: 'SuspendUser', data: target, meta: metaAt(stage, daysAgo / 3) });
  must(await product.dispatch(commands), 'register a user');
  const lastLogin = metaAt(stage, random.next() * Math.min(daysAgo, 6));
  await recordUserActivity(
    product.events,
    { type: 'UserAuthenticated', data: target },
    { ...lastLogin, actor: { kind: 'user', id } },
  );
  return id;
};

/** Brands for the terminals of the integrator's customers; the first is the default. */
const addThemes = async (stage: Stage, integrator: IntegratorId, daysAgo: number): Promise<void> => {
  const meta = metaAt(stage, daysAgo * 0.8);
  const commands: ThemeCommand[] = castThemes.map((look) => ({
    type: 'CreateTheme',
    data: { integratorId: integrator, themeId: themeId.parse(stage.product.newId()), ...look },
    meta,
  }));
  must(await stage.product.dispatch(commands), 'create themes');
};

/** What the customer signs in with at the services it calls; one of them has stopped working. */
const addCredentials = async (
  stage: Stage,
  customer: CustomerId,
  { instances, domain, errorRate }: CastCustomer,
): Promise<void> => {
  const { product } = stage;
  for (const [index, { service, instanceUrl }] of instances.entries()) {
    const target = { credentialId: credentialId.parse(product.newId()), customerId: customer };
    const works = index === 0 || errorRate < 0.03;
    const secrets = { username: `bot@${domain}`, password: product.newId(), apiToken: service === 'jira' ? product.newId() : null };
    const commands: CredentialCommand[] = [
      { type: 'StoreCredential', data: { ...target, service, instanceUrl, ...secrets, expiresAt: null }, meta: metaAt(stage, 90) },
      {
        type: 'RecordCredentialTest',
        data: {
          ...target,
          ok: works,
          detail: works ? 'Signed in.' : 'The user name or the token is wrong (401).',
          durationMs: 240,
        },
        meta: metaAt(stage, 1),
      },
    ];
    must(await product.dispatch(commands), 'store a credential');
  }
};

const addCustomer = async (stage: Stage, cast: CastCustomer, integrator: IntegratorId): Promise<SeededCustomer> => {
  const { product, keyPrefix, random } = stage;
  const id = customerId.parse(product.newId());
  const licenseKey = newLicenseKey(keyPrefix);
  const registered = await enrolCustomer(product.dispatch, {
    type: 'RegisterCustomer',
    data: {
      customerId: id,
      integratorId: integrator,
      name: cast.name,
      contactEmail: `it@${cast.domain}`,
      company: cast.name,
      licenseKey,
      developerSeats: cast.developerSeats,
      stakeholderSeats: cast.stakeholderSeats,
      seatLimitsEnforced: false,
      theme: cast.theme === null ? null : { theme: cast.theme, source: 'explicit' },
    },
    meta: metaAt(stage, cast.sinceDaysAgo),
  });
  must(registered, 'register a customer');
  const ids: UserId[] = [];
  for (const user of cast.users) ids.push(await addUser(stage, id, user, cast.sinceDaysAgo * (0.4 + random.next() * 0.6)));
  await addCredentials(stage, id, cast);
  const at = metaAt(stage, 23);
  const [firstUser] = ids;
  if (!firstUser) throw new Error(`${cast.name} has no users`);
  must(await product.dispatch({ type: 'EnforceSeatLimits', data: { customerId: id }, meta: at }), 'enforce seat limits');
  if (cast.status === 'suspended')
    must(
      await product.dispatch({ type: 'SuspendCustomer', data: { customerId: id, reason: 'Invoice overdue' }, meta: at }),
      'suspend',
    );
  if (cast.status === 'churned')
    must(await product.dispatch({ type: 'ChurnCustomer', data: { customerId: id, reason: 'Contract ended' }, meta: at }), 'churn');
  return { customerId: id, licenseKey, cast, firstUser };
};

/** Integrators, customers and users with their past; a second or two. */
export const seedAccounts = async (product: Product, keyPrefix: string): Promise<Seeded> => {
  const stage: Stage = { product, keyPrefix, random: seededRandom(7) };
  const masterLicenseKeys: string[] = [];
  const ids: IntegratorId[] = [];
  for (const { companyName, domain, sinceDaysAgo } of integrators) {
    const id = integratorId.parse(product.newId());
    const masterLicenseKey = newMasterLicenseKey(keyPrefix);
    const data = {
      integratorId: id,
      companyName,
      contactEmail: `contact@${domain}`,
      billingEmail: `billing@${domain}`,
      masterLicenseKey,
    };
    must(await product.dispatch({ type: 'RegisterIntegrator', data, meta: metaAt(stage, sinceDaysAgo) }), 'register an integrator');
    await addThemes(stage, id, sinceDaysAgo);
    const white = { integratorId: id };
    const brand: IntegratorCommand[] = [
      { type: 'EnableWhiteLabel', data: white, meta: metaAt(stage, sinceDaysAgo / 2) },
      { type: 'ChangeBranding', data: { ...white, customDomain: `licenses.${domain}` }, meta: metaAt(stage, sinceDaysAgo / 2) },
    ];
    if (ids.length === 0) must(await product.dispatch(brand), 'brand an integrator');
    masterLicenseKeys.push(masterLicenseKey);
    ids.push(id);
  }
  const customers: SeededCustomer[] = [];
  for (const cast of castCustomers(stage.random)) {
    const integrator = ids[cast.integrator];
    if (!integrator) throw new Error(`${cast.name} has no integrator`);
    customers.push(await addCustomer(stage, cast, integrator));
  }
  return { customers, masterLicenseKeys };
};

/** A year of API calls, the newest first and customer by customer in turn; goes on in the background for a while. */
export const seedUsage = async (product: Product, { customers }: Seeded, isStopped: () => boolean): Promise<void> => {
  const random = seededRandom(11);
  const pasts = customers.map(({ cast, ...customer }) => ({
    ...customer,
    days: yearOfUsage(random, cast, new Date(product.now())),
  }));
  const underWay = new Set<Promise<unknown>>();
  for (let left = pasts; left.length > 0 && !isStopped(); ) {
    const next: typeof left = [];
    for (const past of left) {
      const { value: day, done } = past.days.next();
      if (done || !day) continue;
      next.push(past);
      const meta: EventMeta = {
        actor: { kind: 'user', id: past.firstUser },
        commandId: product.newId(),
        correlationId: product.newId(),
        causationId: null,
        at: day.at,
      };
      const batch = {
        customerId: past.customerId,
        userId: past.firstUser,
        sourceId: 'demo-past',
        firstSequence: day.firstSequence,
      };
      const append = product.recordCalls({ ...batch, calls: day.calls }, meta).finally(() => underWay.delete(append));
      underWay.add(append);
      if (underWay.size >= APPENDS) await Promise.race(underWay);
    }
    left = next;
  }
  await Promise.all(underWay);
};
