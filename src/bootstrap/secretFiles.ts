import { readFileSync } from 'node:fs';
import { ConfigError } from './configError.ts';

/** Variables whose values are secrets or contain one. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'EVENTSTORE_URL',
  'ADMIN_KEY',
  'MASTER_SECRET',
  'METRICS_TOKEN',
  'SMTP_URL',
] as const;

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/**
 * The environment with the secrets that files contain: `NAME_FILE` is the path of a file with the value of `NAME`. Other processes can
 * read a container's environment through its engine, but not its files. Throws ConfigError if both are set or the file cannot be read.
 */
export const withSecretFiles = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const values: NodeJS.ProcessEnv = { ...env };
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`];
    if (!isSet(path)) continue;
    if (isSet(env[name])) throw new ConfigError(`Set ${name} or ${name}_FILE, not both`);
    try {
      values[name] = readFileSync(path.trim(), 'utf8');
    } catch (error) {
      throw new ConfigError(`${name}_FILE must be the path of a readable file: ${(error as Error).message}`);
    }
    if (!isSet(values[name])) throw new ConfigError(`The file of ${name}_FILE is empty`);
  }
  return values;
};
