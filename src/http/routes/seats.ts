import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerId } from '../../contracts/fields.ts';
import { type SeatQuery, seatQuery, seatsReply } from '../../contracts/seats.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { App } from '../deps.ts';
import { exportList, LIST_DESCRIPTION, SEATS } from '../listExport.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';

const params = z.strictObject({ customerId });

const seat = {
  summary: 'List the seats that users of a customer hold',
  description: `\`idleSince\` is null while the user is connected. Deactivating, suspending or removing a user releases the seat. ${LIST_DESCRIPTION}`,
  tags: ['Seats'],
  querystring: seatQuery,
  response: { 200: seatsReply, ...problems(400, 401, 403, 404) },
};

const answer = async (request: FastifyRequest, reply: FastifyReply, customerId: CustomerId, query: SeatQuery) => {
  const { seats, customers } = request.queries;
  const list = async (page: Pick<SeatQuery, 'limit' | 'cursor'>) =>
    found(await seats.list({ ...query, ...page, customerId }), 'customer_not_found');
  const file = await exportList(
    request,
    reply,
    SEATS,
    async (page) => {
      const { seats: rows, nextCursor } = await list(page);
      return { rows, nextCursor };
    },
    async () => (await customers.get(customerId))?.customer.name,
  );
  return file ?? { success: true as const, ...(await list(query)) };
};

/** The seats of a customer: for administrators, its service integrator and itself. */
export const seatRoutes = (app: App): void => {
  for (const [prefix, audience] of [
    ['/api/admin', 'admin'],
    ['/api/service-integrator', 'integrator'],
  ] as const) {
    app.get(
      `${prefix}/customers/:customerId/seats`,
      { config: { audience: [audience], permission: 'users:read' }, schema: { ...seat, params } },
      async (request, reply) => {
        const { customerId } = await visibleCustomer(request, request.params.customerId);
        return answer(request, reply, customerId, request.query);
      },
    );
  }

  app.get(
    '/api/customer/seats',
    { config: { audience: ['customer'], permission: 'users:read' }, schema: seat },
    async (request, reply) => answer(request, reply, principalAs(request, 'customer').customerId, request.query),
  );
};
