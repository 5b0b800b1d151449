import { DatabaseError } from 'pg';

/** Errors in a statement's values (22, 54) and constraints (23). A duplicate key is not one: it shows that the cached state is stale. */
const REFUSED = /^(?:22|54|23(?!505))/;

/** Whether PostgreSQL refused the statement because of its values: it had no effect, and a repetition would fail again. */
export const isRefusedStatement = (error: unknown): boolean => error instanceof DatabaseError && REFUSED.test(error.code ?? '');
