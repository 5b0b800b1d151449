import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvOf } from '../contracts/csv.ts';
import { STATEMENT_CODE_TYPE, STATEMENT_TYPE, type Statement, type StatementReply } from '../contracts/statements.ts';
import { addMonths } from '../domain/calendar.ts';
import type { SeatUse } from '../domain/customer/seatUse.ts';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import type { CustomerId } from '../domain/ids.ts';
import { dayOf, HOUR_MS } from '../domain/time.ts';
import { sha256Of } from '../security/sha256.ts';
import type { HttpDeps } from './deps.ts';
import { slugOf } from './export.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { statementPage } from './statementPage.ts';

/** Statements are kept, so the key that signed one is published for good. */
export const FOREVER = '9999-12-31T00:00:00.000Z';

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Seats of a kind as statements have them. */
export const shownUse = ({ limit, peak, average, aboveLimitMs }: SeatUse): Statement['seats']['developer'] => ({
  limit,
  peak,
  average: rounded(average),
  hoursAboveLimit: rounded(aboveLimitMs / HOUR_MS),
});

/** A row of the file for each kind of seat, for the calls, for each of their parts, and for each void. */
const csvOfStatement = ({ month, customer, seats, calls, voids }: Statement): string => {
  const rows: (string | number)[][] = [
    ['part', 'key', 'name', 'calls', 'errors', 'seat_limit', 'seat_peak', 'seat_average', 'hours_above_limit'],
    ['customer', customer.id, customer.name, '', '', '', '', '', ''],
    ...SEAT_KINDS.map((kind) => {
      const { limit, peak, average, hoursAboveLimit } = seats[kind];
      return ['seats', kind, '', '', '', limit, peak, average, hoursAboveLimit];
    }),
    ['month', month, '', calls.total, calls.errors, '', '', '', ''],
    ...calls.services.map(({ key, ...part }) => ['service', key ?? 'all others', '', part.calls, part.errors, '', '', '', '']),
    ...(calls.users ?? []).map(({ key, username, ...part }) => [
      'user',
      key ?? 'all others',
      username ?? '',
      part.calls,
      part.errors,
      '',
      '',
      '',
      '',
    ]),
    ...calls.daily.map(({ day, ...part }) => ['day', day, '', part.calls, part.errors, '', '', '', '']),
    ...(calls.notIncluded ?? []).map(({ service, calls: count }) => ['not_included', service, '', count, '', '', '', '', '']),
    ...(voids ?? []).map(({ id, reason, ...part }) => ['void', id, reason ?? '', part.calls, part.errors, '', '', '', '']),
  ];
  return rows.map(csvOf).join('');
};

/** A month of UTC until its end, or until now. Throws `statement_not_found` for a month that has not begun. */
export const periodOfMonth = (month: string, at: number) => {
  const from = `${month}-01T00:00:00.000Z`;
  const end = addMonths(from, 1);
  if (Date.parse(from) > at) throw new HttpProblem('statement_not_found');
  const to = new Date(Math.min(Date.parse(end), at)).toISOString();
  return { from, to, isWholeMonth: to === end, createdAt: new Date(at).toISOString() };
};
export type StatementPeriod = ReturnType<typeof periodOfMonth>;

/** Throws `statement_not_found` for a month that has not begun. */
const statementOf = async (
  { seatUse, now }: Pick<HttpDeps, 'seatUse' | 'now'>,
  request: FastifyRequest,
  customerId: CustomerId,
  month: string,
): Promise<Statement> => {
  const at = now();
  const { from: start, to, ...period } = periodOfMonth(month, at);
  const { customer } = found(await request.queries.customers.get(customerId), 'customer_not_found');
  const mayReadCalls = request.session?.permissions.has('calls:read') === true;
  const [seats, voids, usage] = await Promise.all([
    seatUse(customerId, { from: Date.parse(start), to: Date.parse(to) }),
    mayReadCalls ? request.queries.statements.voids(customerId, { from: start, to }) : [],
    request.queries.usage.of(
      { customerId },
      {
        zone: 'UTC',
        from: dayOf(Date.parse(start)),
        to: dayOf(Date.parse(to) - 1),
        today: dayOf(at),
        withUsers: mayReadCalls,
      },
    ),
  ]);
  const partOf = ({ key, calls, errors }: { key: string | null; calls: number; errors: number }) => ({ key, calls, errors });
  return {
    month,
    from: start,
    to,
    ...period,
    customer: { id: customerId, name: customer.name, tier: customer.tier, status: customer.status },
    seats: { developer: shownUse(seats.developer), stakeholder: shownUse(seats.stakeholder) },
    calls: {
      total: usage.totalApiCalls,
      errors: usage.totalErrors,
      services: usage.services.map(partOf),
      users: usage.users?.map((user) => ({ ...partOf(user), username: user.username })) ?? null,
      ...(usage.notIncluded && { notIncluded: usage.notIncluded }),
      daily: usage.daily.map(({ day, calls, errors }) => ({ day, calls, errors })),
    },
    ...(voids.length > 0 && { voids: [...voids] }),
  };
};

/** A file with its own signature: `made` makes it around a code, which has the SHA-256 of the file around none. */
const withCode = async (
  { signingKeys }: Pick<HttpDeps, 'signingKeys'>,
  { month, to, createdAt, customer: { id, name }, seats, calls }: Statement,
  made: (code: string) => string,
): Promise<string> => {
  const { total, errors } = calls;
  const figures = { month, to, customer: { id, name }, calls: total, errors, seats };
  const claims = { iat: Math.floor(Date.parse(createdAt) / 1_000), ...figures, sha256: sha256Of(made('')) };
  return made(await signingKeys.sign(claims, { type: STATEMENT_CODE_TYPE, until: FOREVER }));
};

/** The name of the file of a statement. */
export const fileNameOf = (name: string, month: string, ending: string): string => `statement-${slugOf(name)}-${month}.${ending}`;

const sendAs = (reply: FastifyReply, { customer, month }: Statement, ending: 'csv' | 'html', type: string, content: string) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileNameOf(customer.name, month, ending)}"`)
    .header('cache-control', 'no-store')
    .send(content);

/** The signed statement of a customer's month; as CSV or a printable page if the request accepts one. */
export const answerStatement = async (
  deps: Pick<HttpDeps, 'seatUse' | 'signingKeys' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { customerId, month }: { customerId: CustomerId; month: string },
): Promise<StatementReply | FastifyReply> => {
  const statement = await statementOf(deps, request, customerId, month);
  const { accept = '' } = request.headers;
  const csv = csvOfStatement(statement);
  const signedCsv = (code: string): string => csv + csvOf(['signature', code, '', '', '', '', '', '', '']);
  if (accept.includes('text/csv')) return sendAs(reply, statement, 'csv', 'text/csv', await withCode(deps, statement, signedCsv));
  if (accept.includes('text/html')) {
    const page = await withCode(deps, statement, (code) => statementPage(statement, code));
    return sendAs(reply, statement, 'html', 'text/html', page);
  }
  const csvSha256 = sha256Of(csv);
  const claims = { iat: Math.floor(Date.parse(statement.createdAt) / 1_000), statement, csvSha256 };
  const signed = await deps.signingKeys.sign(claims, { type: STATEMENT_TYPE, until: FOREVER });
  return { success: true as const, statement, signed };
};
