import type { Product } from '../../src/bootstrap/product.ts';
import type { Client } from './apiClient.ts';
import { until } from './eventually.ts';

/**
 * Resolves once the session of a client has ended. A policy ends it after the reply to the command, and with it all sessions of the same
 * tenant or user that are opened until then.
 */
export const sessionEnd = ({ sessions }: Pick<Product, 'sessions'>, { headers }: Pick<Client, 'headers'>): Promise<void> => {
  const token = headers.authorization?.split(' ')[1] ?? headers.cookie?.split('=')[1];
  if (token === undefined) throw new Error('The client has no session');
  return until(async () => !(await sessions.resolve(token)).found);
};
