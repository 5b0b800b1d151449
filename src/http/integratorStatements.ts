import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvOf } from '../contracts/csv.ts';
import {
  type IntegratorStatement,
  type IntegratorStatementReply,
  STATEMENT_CODE_TYPE,
  STATEMENT_TYPE,
  type StatedCustomer,
} from '../contracts/statements.ts';
import { SEAT_KINDS, SERVICES } from '../domain/enumerations.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { sha256Of } from '../security/sha256.ts';
import type { HttpDeps } from './deps.ts';
import { startedStream } from './export.ts';
import { integratorStatementEnd, integratorStatementHead, integratorStatementRow } from './integratorStatementPage.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { FOREVER, fileNameOf, periodOfMonth, type StatementPeriod, shownUse } from './statements.ts';

type Deps = Pick<HttpDeps, 'seatUse' | 'signingKeys' | 'now'>;

/** Customers whose calls are read by one query. */
const CHUNK = 100;
/** Customers whose events are read at the same time. */
const CONCURRENT = 8;

const SEAT_COLUMNS = ['limit', 'peak', 'average', 'hours_above_limit'];
const COLUMNS = [
  ...['month', 'customer_id', 'customer', 'tier', 'status'],
  ...SEAT_KINDS.flatMap((kind) => SEAT_COLUMNS.map((column) => `${kind}_${column}`)),
  ...['calls', 'errors', ...SERVICES.map((service) => `${service}_calls`), 'not_included_calls', 'voids', 'voided_calls'],
];

const csvLine = (month: string, { id, name, tier, status, seats, calls, voids }: StatedCustomer): string => {
  const seatsOf = ({ limit, peak, average, hoursAboveLimit }: StatedCustomer['seats']['developer']) => [
    ...[limit, peak, average, hoursAboveLimit],
  ];
  const notIncluded = (calls.notIncluded ?? []).reduce((sum, part) => sum + part.calls, 0);
  return csvOf([
    ...[month, id, name, tier, status, ...seatsOf(seats.developer), ...seatsOf(seats.stakeholder), calls.total, calls.errors],
    ...SERVICES.map((service) => calls.services.find(({ key }) => key === service)?.calls ?? 0),
    ...[notIncluded, voids?.count ?? '', voids?.calls ?? ''],
  ]);
};

/** The line with the signature around its code. */
const csvEnd = (): [before: string, after: string] => {
  const before = 'signature,';
  return [before, csvOf(['signature', ...COLUMNS.slice(1).map(() => '')]).slice(before.length)];
};

/** The customers with their figures, in order. It ends early when nobody waits for the reply any more. */
async function* statedCustomers(
  { seatUse }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  integratorId: IntegratorId,
  { from, to }: StatementPeriod,
): AsyncGenerator<StatedCustomer[]> {
  const { statements } = request.queries;
  const mayReadCalls = request.session?.permissions.has('calls:read') === true;
  const customers = await statements.customers(integratorId);
  const period = { from: Date.parse(from), to: Date.parse(to) };
  for (let first = 0; first < customers.length; first += CHUNK) {
    const chunk = customers.slice(first, first + CHUNK);
    const callsOf = await statements.calls(
      chunk.map(({ id }) => id),
      { from, to },
    );
    const stated: StatedCustomer[] = [];
    for (let next = 0; next < chunk.length; next += CONCURRENT) {
      if (reply.raw.writableEnded || reply.raw.destroyed) return;
      const some = chunk.slice(next, next + CONCURRENT);
      const seats = await Promise.all(some.map(({ id }) => seatUse(id, period)));
      for (const [index, customer] of some.entries()) {
        const { voids, notIncluded, total, errors, services } = callsOf(customer.id);
        const use = seats[index];
        if (!use) continue;
        stated.push({
          ...customer,
          seats: { developer: shownUse(use.developer), stakeholder: shownUse(use.stakeholder) },
          calls: { total, errors, services: [...services], ...(notIncluded.length > 0 && { notIncluded: [...notIncluded] }) },
          ...(mayReadCalls && voids.count > 0 && { voids }),
        });
      }
    }
    yield stated;
  }
}

/**
 * The signed statement of all customers of a service integrator; as CSV or a printable page if the request accepts one. Files are sent
 * while they are made, with their signature at the end, so that they may have any number of customers. Throws `statement_not_found` for
 * a month that has not begun.
 */
export const answerIntegratorStatement = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { integratorId, month }: { integratorId: IntegratorId; month: string },
): Promise<IntegratorStatementReply | FastifyReply> => {
  const period = periodOfMonth(month, deps.now());
  const { serviceIntegrator } = found(await request.queries.integrators.get(integratorId), 'integrator_not_found');
  const integrator = { id: integratorId, name: serviceIntegrator.companyName };
  const iat = Math.floor(Date.parse(period.createdAt) / 1_000);
  const calls = { total: 0, errors: 0 };
  let count = 0;
  async function* counted(): AsyncGenerator<StatedCustomer[]> {
    for await (const stated of statedCustomers(deps, request, reply, integratorId, period)) {
      count += stated.length;
      for (const customer of stated) {
        calls.total += customer.calls.total;
        calls.errors += customer.calls.errors;
      }
      yield stated;
    }
  }

  async function* signed(
    head: string,
    rowOf: (customer: StatedCustomer) => string,
    endOf: () => [before: string, after: string],
  ): AsyncGenerator<string> {
    const hash = createHash('sha256').update(head);
    yield head;
    for await (const stated of counted()) {
      const rows = stated.map(rowOf).join('');
      hash.update(rows);
      yield rows;
    }
    const [before, after] = endOf();
    const sha256 = hash.update(before + after).digest('hex');
    const { total, errors } = calls;
    const claims = { iat, month, to: period.to, integrator, customers: count, calls: total, errors, sha256 };
    yield before + (await deps.signingKeys.sign(claims, { type: STATEMENT_CODE_TYPE, until: FOREVER })) + after;
  }
  const sendAs = async (ending: 'csv' | 'html', type: string, file: AsyncGenerator<string>): Promise<FastifyReply> => {
    const stream: Readable = await startedStream(file);
    return reply
      .type(`${type}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${fileNameOf(integrator.name, month, ending)}"`)
      .header('cache-control', 'no-store')
      .send(stream);
  };

  const { accept = '' } = request.headers;
  const csvRow = (customer: StatedCustomer): string => csvLine(month, customer);
  if (accept.includes('text/csv')) return sendAs('csv', 'text/csv', signed(csvOf(COLUMNS), csvRow, csvEnd));
  if (accept.includes('text/html')) {
    const head = integratorStatementHead({ ...period, month, integrator });
    return sendAs(
      'html',
      'text/html',
      signed(head, integratorStatementRow, () => integratorStatementEnd(count, calls)),
    );
  }
  const customers: StatedCustomer[] = [];
  for await (const stated of counted()) customers.push(...stated);
  if (reply.raw.writableEnded) throw new HttpProblem('unavailable');
  const statement: IntegratorStatement = { month, ...period, integrator, customers, calls };
  const csvSha256 = sha256Of(csvOf(COLUMNS) + customers.map(csvRow).join(''));
  const jws = await deps.signingKeys.sign({ iat, statement, csvSha256 }, { type: STATEMENT_TYPE, until: FOREVER });
  return { success: true as const, statement, signed: jws };
};
