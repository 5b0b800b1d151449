import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvOf } from '../../src/contracts/csv.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator } = await seed(web.admin, ['Northwind Traders']));
});
afterAll(() => web.close());

const fileOf = (...lines: string[][]) => ({
  name: 'from crm.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.map(csvOf).join('')),
});

describe('an import', () => {
  it('is checked, shows what each line does, imports it, and offers the result', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    const dialog = dialogOf(page);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByLabel('File').waitFor();
    expect(await violations(page)).toEqual([]);
    const header = ['external_id', 'name', 'contact_email', 'company'];
    await dialog.getByLabel('File').setInputFiles(fileOf(['colour'], ['red']));
    await dialog.getByText('Unknown column').waitFor();
    const file = fileOf(
      header,
      ['crm-1', 'Imported Inc.', 'it@imported.example', 'Imported'],
      ['crm-2', 'Wrong Inc.', 'nobody', 'Wrong'],
    );
    await dialog.getByLabel('File').setInputFiles(file);
    await dialog.getByText('1 to create').waitFor();
    await dialog.getByText('contact_email: Must be an email address').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 1 line' }).click();
    await dialog.getByText('1 created').waitFor();
    await page.getByText('Imported Inc.').first().waitFor();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download result' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('from crm-result.csv');
    expect(await readFile(await saved.path(), 'utf8')).toBe(
      'line,name,effect,column,before,after,message\r\n2,Imported Inc.,created,,,,\r\n' +
        '3,Wrong Inc.,refused,contact_email,,,Must be an email address\r\n',
    );
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await navigate(page, '/service-integrator/audit');
    await page.getByText('Imported customers from from crm.csv: 1 created, 0 changed, 0 unchanged, 1 refused').waitFor();
    await leave(page);
  });

  itAtLength('of users is there for administrators, on a phone in the dark too', async () => {
    const { body } = await web.admin.get('/api/admin/customers?search=Northwind');
    const [{ id }] = body.customers;
    const page = await web.openAsAdmin('/admin/users', { viewport: PHONE, colorScheme: 'dark' });
    const dialog = dialogOf(page);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const file = fileOf(['customer_id', 'username', 'email', 'role'], [id, 'ada', 'ada@imported.example', 'developer']);
    await dialog.getByLabel('File').setInputFiles(file);
    await dialog.getByText('1 to create').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 1 line' }).click();
    await dialog.getByText('1 created').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('ada@imported.example').first().waitFor();
    await leave(page);
  });
});
