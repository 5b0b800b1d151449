import { MigrationsPending } from '../database/prepare.ts';
import { PostgresError } from '../embedded/postgres/error.ts';
import { NotAdministrator } from '../eventstore/access.ts';
import { CopyRefused } from '../eventstore/copy/target.ts';
import { EventStoreUnavailable } from '../eventstore/port.ts';
import { VaultMismatch } from '../security/vault.ts';
import { ConfigError } from './configError.ts';
import { SecretError } from './secrets.ts';
import { StoreUnreachable } from './storeChecks.ts';

const ADDRESS_IN_USE = 'EADDRINUSE';

/** Their message says what is wrong and what to do. */
const ONE_LINE = [
  ConfigError,
  CopyRefused,
  EventStoreUnavailable,
  MigrationsPending,
  NotAdministrator,
  PostgresError,
  SecretError,
  StoreUnreachable,
];

/** The message for the operator: a sentence for a known problem, the stack for an unknown one. */
export const readableError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (ONE_LINE.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof VaultMismatch) return `${error.message}. Start with the MASTER_SECRET that encrypted the data.`;
  if ('code' in error && error.code === ADDRESS_IN_USE) {
    const port = 'port' in error ? ` ${error.port}` : '';
    return `Port${port} is in use by another program. Stop it, or set PORT to another port (0 for any free one).`;
  }
  return error.stack ?? error.message;
};
