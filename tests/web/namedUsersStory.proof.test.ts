import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asTool, bearer, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { codeOf, invite, PASSWORD } from '../support/members.ts';
import { openZone, settingsOf, setUpProvider } from '../support/openId.ts';
import { named } from '../support/passkeys.ts';
import { enableAuthenticators, plugIn } from './support/authenticators.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { startDeviceLogin } from './support/deviceLogin.ts';
import { pressOn, typeInto } from './support/keyboard.ts';
import { type StoryPlaces, wrongOffers } from './support/offers.ts';
import { leave, loaded, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

const DESKTOP = { width: 1280, height: 800 };
/** No violation, and no overflow at either width. */
const NOTHING = [0, 0];

const zone = openZone();
let web: TestConsole;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
/** The console by the host name for which browsers have passkeys. */
let origin: string;
let owner: Page;
let integrator: ServiceIntegrator;
let customer: Customer;
let places: StoryPlaces;
/** The link of the developer's invitation. */
let invitation: string;

beforeAll(async () => {
  web = await openConsole({ CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' }, { resolveTxt: zone.resolveTxt });
  origin = named(web.url);
  provider = await startIdentityProvider([`${origin}/portal/login`]);
});
afterAll(async () => {
  await web.close();
  await provider.close();
});

const open = async (path: string): Promise<Page> => {
  const page = await web.open('/robots.txt', { viewport: DESKTOP });
  await page.goto(new URL(path, origin).href);
  return page;
};

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

/** What is wrong with a screen in light and dark mode, and on a phone. */
const wrongWith = async (page: Page): Promise<unknown[]> => {
  const atDesktop = await overflow(page);
  await page.setViewportSize(PHONE);
  const found = [...(await violations(page)), atDesktop, await overflow(page)];
  await page.setViewportSize(DESKTOP);
  return found;
};

/** The owner of a team invites a user in the console, by keyboard alone; the link is returned. */
const inviteOn = async (page: Page, name: string, email: string, role: string): Promise<string> => {
  await pressOn(page, button(page, 'Invite'));
  const dialog = dialogOf(page);
  await typeInto(page, dialog.getByLabel('Name'), name);
  await typeInto(page, dialog.getByLabel('Email address'), email);
  await typeInto(page, dialog.getByLabel('Role'), role);
  await pressOn(page, button(page, 'Create invitation'));
  const address = (await dialog.locator('[data-invitation-link]').textContent()) ?? '';
  await pressOn(page, button(page, 'Done'));
  await dialog.waitFor({ state: 'detached' });
  return address;
};

const signInOn = async (page: Page, email: string, secret: string | null): Promise<void> => {
  await typeInto(page, page.getByLabel('Email address'), email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  if (secret === null) return;
  // The code that the invitation was accepted with is used up.
  await typeInto(page, page.getByLabel('Code'), codeOf(secret, 1));
  await page.keyboard.press('Enter');
};

/** Opens an invitation, joins with a password, and with one-time passwords if wanted, and signs in: by keyboard alone. */
const joinOn = async (address: string, email: string, { secondFactor = false } = {}): Promise<Page> => {
  const page = await open(new URL(address).pathname + new URL(address).hash);
  await typeInto(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  let secret: string | null = null;
  if (secondFactor) {
    await page.getByRole('switch', { name: 'Use one-time passwords' }).press('Space');
    secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await typeInto(page, page.getByLabel('Code', { exact: true }), codeOf(secret));
  }
  await pressOn(page, button(page, 'Join'));
  await pressOn(page, link(page, 'Go to the sign-in'));
  await signInOn(page, email, secret);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
};

/** Calls of the API in the session of a page. */
const callsOf = async (page: Page, token?: string): Promise<Client> => {
  if (token) return clientOf(origin, bearer((await page.evaluate((name) => localStorage.getItem(name), token)) ?? ''));
  const cookies = await page.context().cookies(origin);
  return clientOf(origin, { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') });
};

describe('the offer of an account', () => {
  it('is made to the admin key while there are no named users, until it is declined in this browser', async () => {
    const offerOn = (page: Page): Locator => button(page, 'Create your account');
    const page = await web.openAsAdmin('/admin/dashboard', { viewport: DESKTOP });
    await offerOn(page).click();
    await dialogOf(page).getByRole('button', { name: 'Continue' }).click();
    await dialogOf(page).getByText('Name is required').waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });

    await page.locator('[data-live=live]').waitFor();
    const { userId } = await invite(web.admin, 'auditor');
    await offerOn(page).waitFor({ state: 'detached' });
    await web.admin.delete(`/api/team/members/${userId}`);
    await offerOn(page).waitFor();

    await button(page, 'Not now').click();
    await offerOn(page).waitFor({ state: 'detached' });
    await page.reload();
    await loaded(page);
    expect(await offerOn(page).count()).toBe(0);
    await leave(page);
  });
});

/** The chapters of one story, in their order. Named users press keys only. */
describe('the named users of an installation', () => {
  it('begin with its owner, whom the first sign-in with the key offers an account, by keyboard alone', async () => {
    owner = await open('/admin/login');
    await plugIn(await enableAuthenticators(owner));
    await typeInto(owner, owner.getByLabel('Admin Key'), ADMIN_KEY);
    await owner.keyboard.press('Enter');
    await owner.waitForURL('**/admin/dashboard');
    const offer = owner.getByText('You signed in with the admin key. Create your account');
    await offer.waitFor();
    await loaded(owner);
    expect(await wrongWith(owner)).toEqual(NOTHING);
    await pressOn(owner, button(owner, 'Create your account'));
    await typeInto(owner, dialogOf(owner).getByLabel('Name'), 'Olive Stone');
    await typeInto(owner, dialogOf(owner).getByLabel('Email address'), 'olive@house.example');
    await owner.keyboard.press('Enter');
    await owner.getByText('Olive Stone, you are invited as owner.').waitFor();
    expect(await wrongWith(owner)).toEqual(NOTHING);
    await pressOn(owner, button(owner, 'Join with a passkey'));
    await owner.getByRole('heading', { level: 1, name: 'You have joined' }).waitFor();
    await pressOn(owner, link(owner, 'Go to the sign-in'));
    await pressOn(owner, button(owner, 'Sign in with a passkey'));
    await owner.waitForURL('**/admin/dashboard');
    await link(owner, 'olive@house.example Olive Stone (owner), your account').waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('are invited by the owner, and are offered what their role may do', async () => {
    await pressOn(owner, link(owner, 'Security'));
    await titleOf(owner).getByText('Team').waitFor();
    const omar = await joinOn(await inviteOn(owner, 'Omar Reyes', 'omar@house.example', 'Operator'), 'omar@house.example');
    const operator = await callsOf(omar);
    integrator = await newIntegrator(operator, { companyName: 'Contoso Partners' });
    customer = await newCustomer(operator, integrator.id, { name: 'Northwind Traders' });
    await asTool(web.url, customer, 'cleo');
    await operator.post('/api/admin/plans', { code: 'PRO', name: 'Professional', developerSeats: 20, stakeholderSeats: 5 });
    places = { customer: customer.id, integrator: integrator.id, user: 'cleo' };
    expect(await wrongOffers(omar, 'administration', 'operator', places)).toEqual([]);
    await leave(omar);

    const vera = await joinOn(await inviteOn(owner, 'Vera Auer', 'vera@house.example', 'Auditor'), 'vera@house.example');
    expect(await wrongOffers(vera, 'administration', 'auditor', places)).toEqual([]);
    await leave(vera);
    expect(await wrongOffers(owner, 'administration', 'owner', places)).toEqual([]);
  });

  it('sign in without the key, once two owners have a second factor', async () => {
    await owner.goto(`${origin}/admin/team`);
    const policy = owner.getByRole('region', { name: 'Sign-in policy' });
    const byKey = policy.getByLabel('Sign-in with the admin key');
    const turnOff = async (): Promise<void> => {
      await typeInto(owner, byKey, 'o');
      await pressOn(owner, button(owner, 'Turn off'));
    };
    await turnOff();
    await policy.getByText('can be off only while two owners have a second factor').waitFor();
    const address = await inviteOn(owner, 'Otto Berg', 'otto@house.example', 'Owner');
    await leave(await joinOn(address, 'otto@house.example', { secondFactor: true }));
    await turnOff();
    await toastsOf(owner).getByText('Sign-in policy updated').waitFor();
    expect(await wrongWith(owner)).toEqual(NOTHING);
    const page = await open('/admin/login');
    await typeInto(page, page.getByLabel('Admin Key'), ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.getByText('Sign-in with the key is turned off. Sign in with your account.').waitFor();
    expect(await wrongWith(page)).toEqual(NOTHING);
    await leave(page);
  });

  it('are those of a service integrator too: a manager with one-time passwords', async () => {
    const key = await openAsIntegrator(web, integrator, '/service-integrator/team', { viewport: DESKTOP });
    const address = await inviteOn(key, 'Mona Lind', 'mona@contoso.example', 'Manager');
    const mona = await joinOn(address, 'mona@contoso.example', { secondFactor: true });
    const manager = await callsOf(mona, 'service_integrator_token');
    const path = `/api/service-integrator/customers/${customer.id}`;
    expect((await manager.put(path, { name: 'Northwind', contactEmail: customer.contactEmail })).status).toBe(200);
    expect(await wrongOffers(mona, 'integrator', 'manager', places)).toEqual([]);
    await leave(mona);
    await leave(key);
  });

  it('are those of a customer too: its admin comes from its identity provider', async () => {
    const settings = { domains: ['northwind.example'], newUsersJoin: true, defaultRole: 'admin' };
    await setUpProvider(await asCustomer(web.url, customer), zone, settingsOf(provider.issuer, settings));
    const email = 'clara@northwind.example';
    provider.becomes({ sub: 'clara', email, email_verified: true, name: 'Clara Voss' });
    const page = await open('/portal/login');
    await pressOn(page, link(page, 'Continue with OpenID Connect'));
    await typeInto(page, page.getByLabel('Email address'), email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    const admin = await callsOf(page, 'customer_token');
    const profile = { name: 'Northwind', contactEmail: 'licenses@northwind.example', company: 'Northwind Inc.' };
    expect((await admin.put('/api/customer/profile', profile)).status).toBe(200);
    expect(await wrongOffers(page, 'customer', 'admin', places)).toEqual([]);
    await pressOn(page, page.getByRole('link', { name: /^Northwind Clara Voss \(admin\), your account$/ }));
    await page.getByText('No passkeys yet').waitFor();
    await plugIn(await enableAuthenticators(page));
    await pressOn(page, button(page, 'Add a passkey'));
    await pressOn(page, dialogOf(page).getByRole('button', { name: 'Add a passkey' }));
    await toastsOf(page).getByText('Passkey added').waitFor();
    expect(await wrongWith(page)).toEqual(NOTHING);
    await page.goto(`${origin}/portal/users`);
    await pressOn(page, button(page, 'Invite to sign in cleo'));
    invitation = (await dialogOf(page).locator('[data-invitation-link]').textContent()) ?? '';
    await leave(page);
  });

  it('are those who use the tool: a developer signs it in by a code', async () => {
    const page = await joinOn(invitation, 'cleo@example.com');
    const login = await startDeviceLogin(origin);
    const { pathname, search } = new URL(login.address);
    await page.goto(`${origin}${pathname}${search}`);
    await page.getByRole('region', { name: 'Does this machine belong to you?' }).getByText(login.code).waitFor();
    expect(await wrongWith(page)).toEqual(NOTHING);
    await pressOn(page, button(page, 'Approve'));
    expect(await login.ended).toMatchObject({ code: 0, text: expect.stringContaining('Signed in to Northwind') });
    expect(await wrongOffers(page, 'customer', 'developer', places)).toEqual([]);
    await leave(page);
  });

  it('are named in the history of what each has done', async () => {
    const named: [path: string, ...names: string[]][] = [
      ['/admin/team/activity', 'Olive Stone (owner)', 'Otto Berg (owner)', 'Omar Reyes (operator)', 'Vera Auer (auditor)'],
      [`/admin/service-integrators/${integrator.id}`, 'Omar Reyes (operator)', 'Mona Lind (manager)'],
      [`/admin/customers/${customer.id}`, 'Omar Reyes (operator)', 'Mona Lind (manager)', 'Clara Voss (admin)', 'cleo (developer)'],
    ];
    for (const [path, ...names] of named) {
      await owner.goto(`${origin}${path}`);
      await loaded(owner);
      const entries = owner.getByRole('list', { name: 'History entries' });
      for (const name of names) await entries.getByText(name).first().waitFor();
    }
    expect(await wrongWith(owner)).toEqual(NOTHING);
    expect(web.pageErrors).toEqual([]);
  });
});
