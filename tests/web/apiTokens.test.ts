import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, clientOf, newIntegrator } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

describe('API tokens of a service integrator', () => {
  it('are created with permissions, shown once, used, and revoked', async () => {
    const page = await openAsIntegrator(web, await newIntegrator(web.admin), '/service-integrator/team/tokens');
    await page.getByText('No API tokens yet').waitFor();
    await page.getByRole('button', { name: 'Create API token' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Create API token' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByText('Choose at least one permission').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('CI export');
    await dialog.getByLabel('Read the own profile').check();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create API token' }).click();
    const secret = (await dialog.locator('[data-api-token]').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });

    const program = clientOf(web.url, bearer(secret));
    expect((await program.get('/api/service-integrator/profile')).status).toBe(200);
    expect((await program.get('/api/service-integrator/customers')).status).toBe(403);
    const row = page.getByRole('row', { name: 'CI export' });
    await row.getByText('Active').waitFor();
    expect(await row.textContent()).toContain('License key');
    expect(await page.content()).not.toContain(secret);
    const permissions = page.getByRole('columnheader', { name: 'Permissions' });
    await permissions.getByRole('button').click();
    await page.waitForURL(/[?&]sort=-scopes$/);
    await expect.poll(() => permissions.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('group', { name: 'View' }).getByLabel('Last use').uncheck();
    await page.getByRole('columnheader', { name: 'Last use' }).waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize(PHONE);
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);

    await page.getByRole('button', { name: 'Revoke: CI export' }).click();
    await dialogOf(page).getByRole('heading', { name: 'Revoke API token' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Revoke', exact: true }).click();
    await toastsOf(page).getByText('API token revoked').waitFor();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await program.get('/api/service-integrator/profile')).body.code).toBe('api_token_revoked');
    await leave(page);
  });
});
