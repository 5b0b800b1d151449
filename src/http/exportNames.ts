import type { FastifyRequest } from 'fastify';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { dayOf } from '../domain/time.ts';
import { principalAs } from './principal.ts';

/** A moment as a part of a file's name: the day, with the minute where it is not midnight. */
const momentOf = (instant: string): string => {
  const [day, time] = [dayOf(instant), instant.slice(11, 16)];
  return time === '00:00' || time === '' ? day : `${day}T${time.replace(':', '')}Z`;
};

/** The period of exported entries, as the last parts of a file's name. Without an end it ends with the day of the request. */
export const periodOf = (
  { receivedAt }: Pick<FastifyRequest, 'receivedAt'>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): string[] => [from === undefined ? '' : momentOf(from), to === undefined ? dayOf(receivedAt) : momentOf(to)];

/** The name of a customer, or undefined after it was deleted. */
export const customerNameOf = async ({ queries }: FastifyRequest, id: CustomerId): Promise<string | undefined> =>
  (await queries.customers.get(id))?.customer.name;

/** The name of a service integrator, or undefined after it was deleted. */
export const integratorNameOf = async ({ queries }: FastifyRequest, id: IntegratorId): Promise<string | undefined> =>
  (await queries.integrators.get(id))?.serviceIntegrator.companyName;

/** The name of the session's own tenant; undefined for the administration. */
export const tenantNameOf = async (request: FastifyRequest): Promise<string | undefined> => {
  const owner = principalAs(request, 'admin', 'integrator', 'customer');
  if (owner.kind === 'admin') return undefined;
  return owner.kind === 'customer' ? customerNameOf(request, owner.customerId) : integratorNameOf(request, owner.integratorId);
};
