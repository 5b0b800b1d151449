import { customerId, integratorId, themeId } from '../../contracts/fields.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { CustomerId, IntegratorId, ThemeId, UserId } from '../../domain/ids.ts';
import type { IntegratorCommand } from '../../domain/integrator/commands.ts';
import type { ThemeCommand } from '../../domain/theme/commands.ts';
import { newLicenseKey, newMasterLicenseKey } from '../../security/keys.ts';
import type { Product } from '../product.ts';
import { type CastCustomer, castCustomers, castThemes, integrators } from './cast.ts';
import { writePast } from './customerPast.ts';
import { seededRandom } from './random.ts';
import { metaAt, must, type Stage } from './stage.ts';
import { yearOfUsage } from './yearOfUsage.ts';

/** Appends under way at once: enough to keep the store busy, few enough for requests to get through. */
const APPENDS = 16;

export type SeededCustomer = Readonly<{ customerId: CustomerId; licenseKey: string; cast: CastCustomer; firstUser: UserId }>;
/** `madeAt` (ISO-8601 UTC) is where its past ends. */
export type Seeded = Readonly<{ madeAt: string; customers: readonly SeededCustomer[]; masterLicenseKeys: readonly string[] }>;

/** Brands for the terminals of the integrator's customers, by their names; the oldest is the default. */
const addThemes = async (stage: Stage, integrator: IntegratorId, daysAgo: number): Promise<ReadonlyMap<string, ThemeId>> => {
  const themes = new Map<string, ThemeId>();
  for (const [index, look] of castThemes.entries()) {
    const id = themeId.parse(stage.product.newId());
    const meta = metaAt(stage, daysAgo * (0.8 - index * 0.1));
    const command: ThemeCommand = { type: 'CreateTheme', data: { integratorId: integrator, themeId: id, ...look }, meta };
    must(await stage.product.dispatch(command), 'create a theme');
    themes.set(look.themeName, id);
  }
  return themes;
};

/** Integrators, customers and users with their past; a second or two. */
export const seedAccounts = async (product: Product, keyPrefix: string): Promise<Seeded> => {
  const stage: Stage = { product, keyPrefix, random: seededRandom(7) };
  const masterLicenseKeys: string[] = [];
  const resellers: { id: IntegratorId; themes: ReadonlyMap<string, ThemeId> }[] = [];
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
    const themes = await addThemes(stage, id, sinceDaysAgo);
    const white = { integratorId: id };
    const brand: IntegratorCommand[] = [
      { type: 'EnableWhiteLabel', data: white, meta: metaAt(stage, sinceDaysAgo / 2) },
      { type: 'ChangeBranding', data: { ...white, customDomain: `licenses.${domain}` }, meta: metaAt(stage, sinceDaysAgo / 2) },
    ];
    if (resellers.length === 0) must(await product.dispatch(brand), 'brand an integrator');
    masterLicenseKeys.push(masterLicenseKey);
    resellers.push({ id, themes });
  }
  const customers: SeededCustomer[] = [];
  for (const cast of castCustomers(stage.random)) {
    const reseller = resellers[cast.integrator];
    if (!reseller) throw new Error(`${cast.name} has no integrator`);
    const id = customerId.parse(product.newId());
    const licenseKey = newLicenseKey(keyPrefix);
    const past = { stage, cast, customerId: id, licenseKey, integratorId: reseller.id, themes: reseller.themes };
    customers.push({ customerId: id, licenseKey, cast, firstUser: await writePast(past) });
  }
  return { madeAt: new Date(product.now()).toISOString(), customers, masterLicenseKeys };
};

/** A year of API calls, the newest first and customer by customer in turn, the same ones each time; goes on in the background for a while. */
export const seedUsage = async (product: Product, { madeAt, customers }: Seeded, isStopped: () => boolean): Promise<void> => {
  const random = seededRandom(11);
  const pasts = customers.map(({ cast, ...customer }) => ({
    ...customer,
    days: yearOfUsage(random, cast, new Date(madeAt)),
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
