import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerId } from '../../contracts/fields.ts';
import {
  idleSeatsQuery,
  idleSeatsReply,
  type SeatQuery,
  type SeatUtilizationQuery,
  seatQuery,
  seatsReply,
  seatUtilizationQuery,
  seatUtilizationReply,
} from '../../contracts/seats.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { idleSeatsOf } from '../../projections/seats/idle.ts';
import type { App, HttpDeps } from '../deps.ts';
import { exportFormatOf, sendFile, streamed } from '../export.ts';
import { exportList, LIST_DESCRIPTION, SEATS } from '../listExport.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { seatDayRows, seatDaysCsv } from '../seatUtilization.ts';
import { rangeAsked } from '../usage.ts';

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
  const isSent = await exportList(
    request,
    reply,
    SEATS,
    async (page) => {
      const { seats: rows, nextCursor } = await list(page);
      return { rows, nextCursor };
    },
    async () => (await customers.get(customerId))?.customer.name,
  );
  return isSent ? reply : { success: true as const, ...(await list(query)) };
};

const utilization = {
  summary: 'Get how the seats of a customer were used on each day, and when they reach their limit',
  description:
    'Peak, average and limit of each kind of seat on each day of the time zone `zone`, with the sign-ins of the tool that were refused a seat. ' +
    'The forecast is the Theil–Sen trend of the daily peaks of the last 60 days; `earliestOn` and `latestOn` bound 90% of what they allow. ' +
    'With `Accept: text/csv` or `application/x-ndjson` the days are sent as a file, a row for each day and kind.',
  tags: ['Seats'],
  querystring: seatUtilizationQuery,
  response: { 200: seatUtilizationReply, ...problems(400, 401, 403, 404) },
};

const answerUtilization = async (
  request: FastifyRequest,
  reply: FastifyReply,
  customerId: CustomerId,
  query: SeatUtilizationQuery,
  now: number,
) => {
  const { seats, customers } = request.queries;
  const shown = found(await seats.utilization(customerId, rangeAsked(query, now), now), 'customer_not_found');
  const format = exportFormatOf(request.headers.accept);
  if (format === null) return { success: true as const, utilization: shown };
  const customer = await customers.get(customerId);
  const file = await streamed(seatDayRows(shown), format, seatDaysCsv);
  return sendFile(reply, file, format, 'seat-utilization', customer?.customer.name, shown.from, shown.to, shown.zone);
};

const idle = {
  summary: 'Preview the seats that would be released automatically',
  description:
    'Users who are not connected and have not used the tool or the portal for as many days. With `idleReleaseDays` of the customer they are ' +
    'deactivated, except the last administrator of the portal.',
  tags: ['Seats'],
  params,
  querystring: idleSeatsQuery,
  response: { 200: idleSeatsReply, ...problems(400, 401, 403, 404) },
};

/** Idle seats that a preview names. */
const MAX_PREVIEWED = 100;

/** The seats of a customer: for administrators, its service integrator and itself. */
export const seatRoutes = (app: App, { db, now }: Pick<HttpDeps, 'db' | 'now'>): void => {
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

    app.get(
      `${prefix}/customers/:customerId/seats/utilization`,
      { config: { audience: [audience], permission: 'users:read' }, schema: { ...utilization, params } },
      async (request, reply) => {
        const { customerId } = await visibleCustomer(request, request.params.customerId);
        return answerUtilization(request, reply, customerId, request.query, now());
      },
    );

    app.get(
      `${prefix}/customers/:customerId/seats/idle`,
      { config: { audience: [audience], permission: 'users:read' }, schema: idle },
      async (request) => {
        const { customerId } = await visibleCustomer(request, request.params.customerId);
        const asked = { days: request.query.days, now: now(), usableSince: null };
        const { seats } = await idleSeatsOf(db, customerId, asked);
        return {
          success: true as const,
          seats: seats.slice(0, MAX_PREVIEWED).map((seat) => ({ ...seat, idleSince: seat.idleSince.toISOString() })),
          total: seats.length,
        };
      },
    );
  }

  app.get(
    '/api/customer/seats',
    { config: { audience: ['customer'], permission: 'users:read' }, schema: seat },
    async (request, reply) => answer(request, reply, principalAs(request, 'customer').customerId, request.query),
  );

  app.get(
    '/api/customer/seats/utilization',
    { config: { audience: ['customer'], permission: 'users:read' }, schema: utilization },
    async (request, reply) => answerUtilization(request, reply, principalAs(request, 'customer').customerId, request.query, now()),
  );
};
