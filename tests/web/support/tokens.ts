import type { BrowserContextOptions, Page } from 'playwright-core';
import { asCustomer, asIntegrator, type Client } from '../../support/apiClient.ts';
import type { TestConsole } from './console.ts';

/** A page of a signed-in user: the browser stores the token. */
const openWithToken = (
  web: TestConsole,
  name: string,
  client: Client,
  path: string,
  options: BrowserContextOptions,
): Promise<Page> => {
  const value = client.headers.authorization?.replace('Bearer ', '') ?? '';
  const storageState = { cookies: [], origins: [{ origin: web.url, localStorage: [{ name, value }] }] };
  return web.open(path, { ...options, storageState });
};

export const openAsCustomer = async (
  web: TestConsole,
  customer: { licenseKey: string },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> => openWithToken(web, 'customer_token', await asCustomer(web.url, customer), path, options);

export const openAsIntegrator = async (
  web: TestConsole,
  integrator: { masterLicenseKey: string },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> => openWithToken(web, 'service_integrator_token', await asIntegrator(web.url, integrator), path, options);
