import { z } from 'zod';
import { customerId, day, instant, integratorId } from './fields.ts';
import { ok } from './replies.ts';

/** The type of a statement of usage in the header of its JWS, so that no other signed document passes for one. */
export const STATEMENT_TYPE = 'latchkey-statement+jwt';

/** A month of UTC, as 2026-01. */
export const statementMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month like 2026-01');

const seatUse = z.object({
  /** At the end of the period; -1 is unlimited. */
  limit: z.int(),
  peak: z.int(),
  /** Over the whole period, to two decimals. */
  average: z.number(),
  /** The hours in which more seats were held than the limit, to two decimals. */
  hoursAboveLimit: z.number(),
});

/** Null stands for all others that are counted together. */
const part = z.object({ key: z.string().nullable(), calls: z.int(), errors: z.int() });

/** How a customer used its license in a month of UTC, from `from` until before `to`. */
const statement = z.object({
  month: statementMonth,
  from: instant,
  to: instant,
  /** Whether the month is over. Calls can be recorded later for a time in it. */
  isWholeMonth: z.boolean(),
  createdAt: instant,
  customer: z.object({ id: customerId, name: z.string(), tier: z.string(), status: z.string() }),
  seats: z.object({ developer: seatUse, stakeholder: seatUse }),
  calls: z.object({
    total: z.int(),
    errors: z.int(),
    services: z.array(part),
    /** By the id of the user. Null where the session may not read the calls of users. */
    users: z.array(part.extend({ username: z.string().nullable() })).nullable(),
    /** Calls to services that the license did not include when they were made; among all others. Absent without one. */
    notIncluded: z.array(z.object({ service: z.string(), calls: z.int() })).optional(),
    daily: z.array(z.object({ day, calls: z.int(), errors: z.int() })),
  }),
  /** Voids of calls of the month, which are not among its calls: `calls` are those of the month. Absent without one. */
  voids: z
    .array(
      z.object({ id: z.uuid(), at: instant, reason: z.string().nullable(), sourceId: z.string(), calls: z.int(), errors: z.int() }),
    )
    .optional(),
});
/** A monthly statement of usage. */
export type Statement = z.infer<typeof statement>;

/** A customer in the statement of its service integrator. */
const statedCustomer = z.object({
  ...statement.shape.customer.shape,
  seats: statement.shape.seats,
  calls: statement.shape.calls.pick({ total: true, errors: true, services: true, notIncluded: true }),
  /** Voids of calls of the month, which are not among its calls: `calls` are those of the month. Absent without one, or where the session may not read single calls. */
  voids: z.object({ count: z.int(), calls: z.int(), errors: z.int() }).optional(),
});
export type StatedCustomer = z.infer<typeof statedCustomer>;

/** How all customers of a service integrator used their licenses in a month of UTC. */
const integratorStatement = z.object({
  ...statement.pick({ month: true, from: true, to: true, isWholeMonth: true, createdAt: true }).shape,
  integrator: z.object({ id: integratorId, name: z.string() }),
  /** By name. */
  customers: z.array(statedCustomer),
  /** Of all customers. */
  calls: z.object({ total: z.int(), errors: z.int() }),
});
export type IntegratorStatement = z.infer<typeof integratorStatement>;

/** What is signed: the statement, and the SHA-256 of the same as CSV, in hex. */
export const statementClaims = z.object({
  iss: z.string(),
  iat: z.int(),
  statement: z.union([statement, integratorStatement]),
  csvSha256: z.string(),
});

/** The type of the code in a CSV file or a printed page, in the header of its JWS. */
export const STATEMENT_CODE_TYPE = 'latchkey-statement-code+jwt';

/** What the code of a file says: the main figures, and the SHA-256 of the file without the code, in hex. */
const customerCode = z.object({
  iss: z.string(),
  iat: z.int(),
  month: statementMonth,
  to: instant,
  customer: z.object({ id: customerId, name: z.string() }),
  calls: z.int(),
  errors: z.int(),
  seats: z.object({ developer: seatUse, stakeholder: seatUse }),
  sha256: z.string(),
});
const integratorCode = customerCode
  .omit({ customer: true, seats: true })
  .extend({ integrator: z.object({ id: integratorId, name: z.string() }), customers: z.int() });
/** The signed code in the CSV file of a statement, of a customer or of a service integrator. */
export const statementCode = z.union([customerCode, integratorCode]);
export type StatementCode = z.infer<typeof statementCode>;

/** The reply of `GET …/statement`: the statement, and its signature as compact JWS. */
export const statementReply = ok({ statement, signed: z.string() });
export type StatementReply = z.infer<typeof statementReply>;

/** The reply of the statement of a service integrator, and its signature as compact JWS. */
export const integratorStatementReply = ok({ statement: integratorStatement, signed: z.string() });
export type IntegratorStatementReply = z.infer<typeof integratorStatementReply>;
