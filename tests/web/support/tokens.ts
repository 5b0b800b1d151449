import type { Page } from 'playwright-core';
import { asCustomer, asIntegrator, type Client } from '../../support/apiClient.ts';
import type { TestConsole } from './console.ts';
import type { OpenOptions } from './pages.ts';

/** A page of a signed-in user: the browser stores the token. */
const openWithToken = (web: TestConsole, name: string, client: Client, path: string, options: OpenOptions): Promise<Page> => {
  const value = client.headers.authorization?.replace('Bearer ', '') ?? '';
  return web.open(path, { ...options, storage: { [name]: value } });
};

export const openAsCustomer = async (
  web: TestConsole,
  customer: { licenseKey: string },
  path: string,
  options: OpenOptions = {},
): Promise<Page> => openWithToken(web, 'customer_token', await asCustomer(web.url, customer), path, options);

export const openAsIntegrator = async (
  web: TestConsole,
  integrator: { masterLicenseKey: string },
  path: string,
  options: OpenOptions = {},
): Promise<Page> => openWithToken(web, 'service_integrator_token', await asIntegrator(web.url, integrator), path, options);
