import { PostgresError } from '../embedded/postgres/error.ts';
import { VaultMismatch } from '../security/vault.ts';
import { ConfigError } from './config.ts';
import { SecretError } from './secrets.ts';

const ADDRESS_IN_USE = 'EADDRINUSE';

/** What a person who started the server needs to know: a sentence where we know what is wrong, the stack where we do not. */
export const readableError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof SecretError || error instanceof PostgresError) return error.message;
  if (error instanceof VaultMismatch) return `${error.message}. Start with the MASTER_SECRET that the data was sealed with.`;
  if ('code' in error && error.code === ADDRESS_IN_USE) {
    const port = 'port' in error ? ` ${error.port}` : '';
    return `Port${port} is in use by another program. Stop it, or set PORT to another one (0 takes any free one).`;
  }
  return error.stack ?? error.message;
};
