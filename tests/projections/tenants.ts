import { randomUUID } from 'node:crypto';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import type { Position } from '../../src/eventstore/port.ts';
import { customerRegistered } from '../support/builders/customer.ts';
import { integratorRegistered } from '../support/builders/integrator.ts';
import { appendEvents, type Fixture } from './fixture.ts';

export const newIntegrator = async (
  fixture: Pick<Fixture, 'events'>,
  companyName = 'Partner',
  at?: string,
): Promise<IntegratorId> => {
  const integratorId = randomUUID() as IntegratorId;
  const registered = integratorRegistered({ integratorId, companyName });
  await appendEvents(fixture, streams.integrator(integratorId), [registered], at ? { at } : {});
  return integratorId;
};

/** A customer of an integrator of its own, unless one is given, with what else is to happen to it. */
export const newCustomer = async (
  fixture: Pick<Fixture, 'events'>,
  {
    name = 'Acme',
    events = [],
    at,
    ...given
  }: { name?: string; integratorId?: IntegratorId; events?: CustomerEvent[]; at?: string } = {},
): Promise<{ customerId: CustomerId; integratorId: IntegratorId; position: Position }> => {
  const integratorId = given.integratorId ?? (await newIntegrator(fixture));
  const customerId = randomUUID() as CustomerId;
  const registered = customerRegistered({ customerId, integratorId, name });
  const position = await appendEvents(fixture, streams.customer(customerId), [registered, ...events], at ? { at } : {});
  return { customerId, integratorId, position };
};
