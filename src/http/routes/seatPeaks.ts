import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CustomerQuery, customerQuery } from '../../contracts/customers.ts';
import { seatPeaksReply } from '../../contracts/seats.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { SEAT_PEAK_DAYS } from '../../domain/limits.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { App, HttpDeps } from '../deps.ts';
import { exportList, LIST_DESCRIPTION, SEAT_PEAKS } from '../listExport.ts';
import { principalAs } from '../principal.ts';
import { problems } from '../replies.ts';
import { searchedKeyFragments } from '../requests/maskedKeys.ts';

const schema = {
  summary: 'List how much of their seats customers used in the last 30 days',
  description: `\`peak\` is the most seats that were held at the same time. The filters are those of the list of customers. ${LIST_DESCRIPTION}`,
  tags: ['Seats'],
  querystring: customerQuery,
  response: { 200: seatPeaksReply, ...problems(400, 401, 403) },
};

type Deps = Pick<HttpDeps, 'keys' | 'now'>;

const answer = async (
  { keys, now }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  query: CustomerQuery & { serviceIntegratorId?: IntegratorId | undefined },
) => {
  const { customers, seats } = request.queries;
  const keyFragments = searchedKeyFragments(request, keys, { search: query.search, permission: 'keys:read' });
  const since = now() - SEAT_PEAK_DAYS * DAY_MS;
  const list = async (page: Pick<CustomerQuery, 'limit' | 'cursor'>) => {
    const found = await customers.list({ ...query, ...page, keyFragments });
    const peaks = await seats.peaks(
      found.customers.map(({ id }) => id),
      since,
    );
    const { customers: shown, counts: _counts, ...rest } = found;
    return { ...rest, rows: shown.map(({ id, name, status }) => ({ id, name, status, ...peaks(id) })) };
  };
  if (await exportList(request, reply, SEAT_PEAKS, list)) return reply;
  const { rows, ...page } = await list(query);
  return { success: true as const, customers: rows, ...page };
};

/** The utilization of the seats of many customers: for administrators and service integrators. */
export const seatPeakRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/api/admin/seat-utilization',
    { config: { audience: ['admin'], permission: 'customers:read' }, schema },
    async (request, reply) => answer(deps, request, reply, request.query),
  );
  app.get(
    '/api/service-integrator/seat-utilization',
    { config: { audience: ['integrator'], permission: 'customers:read' }, schema },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return answer(deps, request, reply, { ...request.query, serviceIntegratorId: integratorId });
    },
  );
};
