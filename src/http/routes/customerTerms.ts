import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { extension, renewal, setTerm } from '../../contracts/terms.ts';
import type { TermCommand } from '../../domain/customer/commands.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { showCustomer } from '../customerWrites.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { visibleCustomer } from '../ownership.ts';
import { accepted, ifMatch, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const params = z.strictObject({ customerId });
const tags = ['Customers'];

/** A command with its type and the rest of its data. */
type Wanted = { [C in TermCommand as C['type']]: { type: C['type']; data: Omit<C['data'], 'customerId'> } }[TermCommand['type']];

/** How long the licenses run of which administrators see each, and integrators their own. */
export const customerTermRoutes = (
  app: App,
  deps: HttpDeps & { settle: Settle },
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  const config = { audience: [audience], permission: 'customers:write' } as const;
  const response = { 200: customerReply, ...problems(400, 401, 403, 404, 412) };

  const change = async (request: FastifyRequest, reply: FastifyReply, id: CustomerId, { type, data }: Wanted) => {
    const { customerId } = await visibleCustomer(request, id);
    const command = { type, data: { ...data, customerId }, meta: metaOf(request) } as TermCommand;
    const { position } = accepted(await deps.commands.customers.handle(command, ifMatch(request)));
    return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, position) };
  };

  app.put(
    `${prefix}/customers/:customerId/term`,
    {
      config,
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Set how long a license runs', tags, params, body: setTerm, response },
    },
    async (request, reply) => change(request, reply, request.params.customerId, { type: 'SetLicenseTerm', data: request.body }),
  );

  app.delete(
    `${prefix}/customers/:customerId/term`,
    { config, schema: { summary: 'Make a license perpetual', tags, params, response } },
    async (request, reply) => change(request, reply, request.params.customerId, { type: 'RemoveLicenseTerm', data: {} }),
  );

  app.post(
    `${prefix}/customers/:customerId/term/renew`,
    {
      config,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Renew a license',
        description: 'By months from its expiry on, also in grace, or from now on if it no longer works. A renewal ends a trial.',
        tags,
        params,
        body: renewal,
        response: { ...response, ...problems(409) },
      },
    },
    async (request, reply) => change(request, reply, request.params.customerId, { type: 'RenewLicense', data: request.body }),
  );

  app.post(
    `${prefix}/customers/:customerId/term/extend`,
    {
      config,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Extend the term of a license',
        description: 'Moves its expiry by days. A trial stays a trial.',
        tags,
        params,
        body: extension,
        response: { ...response, ...problems(409) },
      },
    },
    async (request, reply) => change(request, reply, request.params.customerId, { type: 'ExtendLicense', data: request.body }),
  );
};
