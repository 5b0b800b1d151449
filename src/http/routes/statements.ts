import { z } from 'zod';
import { customerId, integratorId } from '../../contracts/fields.ts';
import { integratorStatementReply, statementMonth, statementReply } from '../../contracts/statements.ts';
import type { App, HttpDeps } from '../deps.ts';
import { answerIntegratorStatement } from '../integratorStatements.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { problems } from '../replies.ts';
import { answerStatement } from '../statements.ts';

const statement = {
  summary: 'Get the signed statement of how a customer used its license in a month',
  description:
    'Seats (limit, peak, average, hours above the limit) and API calls by service, user and day of UTC. `signed` is a compact JWS, which ' +
    '`latchkey-admin statement verify` verifies offline. `users` is null where the session may not read single calls. With ' +
    '`Accept: text/csv` or `text/html` the same is sent as a file, which has a signature of its own.',
  tags: ['Statements'],
  querystring: z.strictObject({ month: statementMonth }),
  response: { 200: statementReply, ...problems(400, 401, 403, 404, 503) },
};

const ofIntegrator = {
  ...statement,
  summary: 'Get the signed statement of how all customers of a service integrator used their licenses in a month',
  description:
    'Seats (limit, peak, average, hours above the limit) and API calls by service of each customer. `signed` is a compact JWS, which ' +
    '`latchkey-admin statement verify` verifies offline. With `Accept: text/csv` or `text/html` the same is sent as a file, which has a ' +
    'signature of its own.',
  response: { 200: integratorStatementReply, ...problems(400, 401, 403, 404, 503) },
};

/** Monthly statements of usage: for administrators, the customer's service integrator and the customer. */
export const statementRoutes = (app: App, deps: HttpDeps): void => {
  for (const [prefix, audience] of [
    ['/api/admin', 'admin'],
    ['/api/service-integrator', 'integrator'],
  ] as const) {
    app.get(
      `${prefix}/customers/:customerId/statement`,
      {
        config: { audience: [audience], permission: 'usage:read' },
        schema: { ...statement, params: z.strictObject({ customerId }) },
      },
      async (request, reply) => {
        const { customerId } = await visibleCustomer(request, request.params.customerId);
        return answerStatement(deps, request, reply, { customerId, month: request.query.month });
      },
    );
  }

  app.get(
    '/api/service-integrator/statement',
    { config: { audience: ['integrator'], permission: 'usage:read' }, schema: ofIntegrator },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return answerIntegratorStatement(deps, request, reply, { integratorId, month: request.query.month });
    },
  );

  app.get(
    '/api/admin/service-integrators/:integratorId/statement',
    {
      config: { audience: ['admin'], permission: 'usage:read' },
      schema: { ...ofIntegrator, params: z.strictObject({ integratorId }) },
    },
    async (request, reply) => {
      const { integratorId } = request.params;
      return answerIntegratorStatement(deps, request, reply, { integratorId, month: request.query.month });
    },
  );

  app.get(
    '/api/customer/statement',
    {
      config: { audience: ['customer'], permission: 'usage:read' },
      schema: statement,
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answerStatement(deps, request, reply, { customerId, month: request.query.month });
    },
  );
};
