import { TooManyLostRaces } from '../../commands/commandHandler.ts';
import { UsageBusy } from '../../projections/usage/filtered.ts';
import { PasswordsBusy } from '../../security/passwords.ts';
import { VaultUnavailable } from '../../security/vault.ts';
import type { EdgeCode } from './edgeProblems.ts';

const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND']);
/** PostgreSQL: connection failures, insufficient resources, and a server that is going down or coming up. */
const SQLSTATE = /^(08|53|57P)/;
/** PostgreSQL gave a statement up that took too long. */
const STATEMENT_TIMEOUT = '57014';
const DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** The code of an error that means a busy or unreachable dependency; null for other errors. */
export const outageOf = (error: unknown): Extract<EdgeCode, 'overloaded' | 'unavailable'> | null => {
  if (error instanceof PasswordsBusy || error instanceof TooManyLostRaces || error instanceof UsageBusy) return 'overloaded';
  if (error instanceof VaultUnavailable) return 'unavailable';
  if (!(error instanceof Error)) return null;
  if (error.name === 'EventStoreUnavailable') return 'unavailable';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === STATEMENT_TIMEOUT) return 'overloaded';
  if (CONNECTION_CODES.has(code) || (code.length === 5 && SQLSTATE.test(code)) || DRIVER_MESSAGES.test(error.message)) {
    return 'unavailable';
  }
  return null;
};
