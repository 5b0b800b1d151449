import { z } from 'zod';
import { DEFAULT_SIGN_IN_RETENTION_DAYS, MAX_SIGN_IN_RETENTION_DAYS } from '../domain/limits.ts';
import type { SmtpServer } from '../outbound/smtp.ts';
import { ConfigError } from './configError.ts';
import {
  type Cidr,
  HOST_NAME,
  isLoopback,
  listOf,
  matching,
  oneOf,
  type Parser,
  parseCidr,
  parseListen,
  parseOrigin,
  parsePort,
  parseProxy,
  parseSecret,
  parseSmtp,
  parseUrl,
} from './parsers.ts';
import { SECRET_VARIABLES, withSecretFiles } from './secretFiles.ts';

const ROLES = ['api', 'projector', 'embedded'] as const;
type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** PEM files, null on a loopback address. */
export type StoresNetwork = Readonly<{
  host: string;
  databasePort: number;
  eventStorePort: number;
  tls: Readonly<{ certFile: string; keyFile: string }> | null;
}>;

/** The parsed environment. Nothing else reads its variables. */
export type Config = {
  port: number;
  host: string;
  dataDir: string;
  /** Null for the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** The login that owns the database of DATABASE_URL; null if the login of DATABASE_URL owns it. */
  databaseOwnerUrl: string | null;
  /** Null for the embedded event store. */
  eventStoreUrl: string | null;
  /** Null if it is generated. */
  adminKey: string | null;
  adminEmail: string | null;
  /** Whole UTC days for which sign-ins are kept. */
  signInRetentionDays: number;
  /** 32 bytes; null for the generated one in the data directory. */
  masterSecret: Buffer | null;
  productName: string;
  keyPrefix: string;
  portalHost: string;
  roles: ReadonlySet<Role>;
  /** Proxies whose forwarding headers are trusted: addresses, networks, or Fastify's names for them. */
  trustProxy: false | readonly string[];
  /** Allowed origins besides the server's own, as `https://host[:port]`. */
  publicOrigins: readonly string[];
  credentialTestAllow: readonly Cidr[];
  /** Null if no emails are sent. Links begin with `origin`. */
  email: Readonly<{ server: SmtpServer; from: string; origin: string }> | null;
  /** Where `/metrics` listens in addition to the API's port; null if it does not. */
  metrics: Readonly<{ port: number; host: string }> | null;
  metricsToken: string | null;
  /** The base address of a collector of traces; null if none are exported. */
  tracesTo: string | null;
  /** Where the embedded stores listen for other nodes; null unless `embedded` is the only role. */
  storesNetwork: StoresNetwork | null;
  /** Whether the OpenAPI description and its viewer are served. */
  apiDocs: boolean;
  logLevel: LogLevel;
};

const TOKEN = /^[\x21-\x7e]{16,200}$/;

const variable = <T>(parse: Parser<T>) =>
  z
    .string()
    .transform((text) => text.trim() || undefined) // an empty one is one not set, as compose files and .env leave it
    .transform((text, context) => {
      if (text === undefined) return undefined;
      const parsed = parse(text);
      if (parsed !== null) return parsed;
      context.addIssue('not accepted');
      return z.NEVER;
    })
    .optional();

const parseRetention: Parser<number> = (text) => {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= MAX_SIGN_IN_RETENTION_DAYS ? days : null;
};

const parseEmail: Parser<string> = (text) => (z.email().max(254).safeParse(text).success ? text : null);

const environment = z.object({
  PORT: variable(parsePort),
  HOST: variable(parseListen),
  DATA_DIR: variable((text) => text),
  DATABASE_URL: variable(parseUrl('postgres', 'postgresql')),
  DATABASE_OWNER_URL: variable(parseUrl('postgres', 'postgresql')),
  EVENTSTORE_URL: variable(parseUrl('esdb', 'esdb+discover', 'esdb+unix', 'kurrentdb', 'kurrentdb+discover')),
  ADMIN_KEY: variable(matching(TOKEN)),
  ADMIN_EMAIL: variable(parseEmail),
  SIGN_IN_RETENTION_DAYS: variable(parseRetention),
  MASTER_SECRET: variable(parseSecret),
  PRODUCT_NAME: variable(matching(/^[^\p{C}]{1,60}$/u)),
  KEY_PREFIX: variable(matching(/^[A-Z][A-Z0-9]{0,7}$/)),
  PORTAL_HOST: variable(matching(HOST_NAME)),
  ROLES: variable(listOf(oneOf(ROLES))),
  TRUST_PROXY: variable<false | readonly string[]>((text) => (text === 'off' ? false : listOf(parseProxy)(text))),
  PUBLIC_ORIGINS: variable(listOf(parseOrigin)),
  CREDENTIAL_TEST_ALLOW: variable(listOf(parseCidr)),
  SMTP_URL: variable(parseSmtp),
  SMTP_FROM: variable(parseEmail),
  METRICS_PORT: variable(parsePort),
  METRICS_HOST: variable(parseListen),
  METRICS_TOKEN: variable(matching(TOKEN)),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(parseUrl('http', 'https')),
  EMBEDDED_HOST: variable(parseListen),
  EMBEDDED_DATABASE_PORT: variable(parsePort),
  EMBEDDED_EVENTSTORE_PORT: variable(parsePort),
  EMBEDDED_TLS_CERT: variable((text) => text),
  EMBEDDED_TLS_KEY: variable((text) => text),
  API_DOCS: variable(oneOf(['on', 'off'])),
  LOG_LEVEL: variable(oneOf(LOG_LEVELS)),
});

export type Variable = keyof z.infer<typeof environment>;

/** The text after `must be`. */
const ACCEPTS: Record<Variable, string> = {
  PORT: 'a port from 0 to 65535, 0 for any free one',
  HOST: 'an IP address or a host name to listen on',
  DATA_DIR: 'the path of a directory',
  DATABASE_URL: 'postgres://user:password@host:port/database, or empty for the embedded PostgreSQL',
  DATABASE_OWNER_URL: 'postgres://owner:password@host:port/database, the owner of the database in DATABASE_URL',
  EVENTSTORE_URL:
    'an esdb://, esdb+discover://, esdb+unix:// or kurrentdb:// connection string, or empty for the embedded event store',
  ADMIN_KEY: '16 to 200 printable ASCII characters without spaces, or empty to generate one',
  ADMIN_EMAIL: 'an email address',
  SIGN_IN_RETENTION_DAYS: `a number of days from 1 to ${MAX_SIGN_IN_RETENTION_DAYS}`,
  MASTER_SECRET: '32 bytes in base64 (openssl rand -base64 32), or empty to generate one',
  PRODUCT_NAME: '1 to 60 characters',
  KEY_PREFIX: '1 to 8 uppercase letters and digits, starting with a letter',
  PORTAL_HOST: 'a host name',
  ROLES: `a comma-separated list of ${ROLES.join(', ')}`,
  TRUST_PROXY: 'off, or a comma-separated list of addresses, networks (10.0.0.0/8), loopback, linklocal and uniquelocal',
  PUBLIC_ORIGINS: 'a comma-separated list of origins such as https://licenses.example.com, without a path',
  CREDENTIAL_TEST_ALLOW: 'a comma-separated list of addresses and networks such as 10.1.0.0/16',
  SMTP_URL: 'smtp://host:port or smtps://host:port, with user:password@ before the host if the server needs them',
  SMTP_FROM: 'an email address',
  METRICS_PORT: 'a port from 0 to 65535, 0 for any free one, or empty to serve metrics on PORT only',
  METRICS_HOST: 'an IP address or a host name to listen on',
  METRICS_TOKEN: '16 to 200 printable ASCII characters without spaces',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://host:port of a collector that accepts OTLP over HTTP, or empty to export no traces',
  EMBEDDED_HOST: 'an IP address or a host name to listen on',
  EMBEDDED_DATABASE_PORT: 'a port from 1 to 65535',
  EMBEDDED_EVENTSTORE_PORT: 'a port from 1 to 65535',
  EMBEDDED_TLS_CERT: 'the path of a PEM file',
  EMBEDDED_TLS_KEY: 'the path of a PEM file',
  API_DOCS: 'on or off',
  LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')}`,
};

const SECRET: ReadonlySet<string> = new Set<Variable>(SECRET_VARIABLES);

const isVariable = (name: PropertyKey | undefined): name is Variable => typeof name === 'string' && name in ACCEPTS;

const refusal = (name: Variable, value: string | undefined): ConfigError =>
  new ConfigError(`${name} must be ${ACCEPTS[name]}${SECRET.has(name) ? '' : `; got ${JSON.stringify(value)}`}`);

const storesNetworkOf = (data: z.infer<typeof environment>): StoresNetwork => {
  const { EMBEDDED_HOST: host = '127.0.0.1', EMBEDDED_TLS_CERT: certFile, EMBEDDED_TLS_KEY: keyFile } = data;
  const tls = certFile && keyFile ? { certFile, keyFile } : null;
  if (!tls && !isLoopback(host)) {
    throw new ConfigError('EMBEDDED_TLS_CERT and EMBEDDED_TLS_KEY must be set if EMBEDDED_HOST is not a loopback address');
  }
  const { EMBEDDED_DATABASE_PORT: databasePort = 5432, EMBEDDED_EVENTSTORE_PORT: eventStorePort = 2113 } = data;
  if (databasePort === 0) throw refusal('EMBEDDED_DATABASE_PORT', '0');
  if (eventStorePort === 0) throw refusal('EMBEDDED_EVENTSTORE_PORT', '0');
  return { host, databasePort, eventStorePort, tls };
};

const emailOf = (data: z.infer<typeof environment>): Config['email'] => {
  const { SMTP_URL: server, SMTP_FROM: from, PUBLIC_ORIGINS: [origin] = [] } = data;
  if (!server) return null;
  if (!from) throw new ConfigError('SMTP_FROM must be set if SMTP_URL is set');
  if (!origin) throw new ConfigError('PUBLIC_ORIGINS must be set if SMTP_URL is set: links in emails begin with its first origin');
  return { server, from, origin };
};

/** Parses the environment and the files of secrets, once. Throws ConfigError for the first variable with a value that is not accepted. */
export const readConfig = (given: NodeJS.ProcessEnv): Config => {
  const env = withSecretFiles(given);
  const { success, data, error } = environment.safeParse(env);
  if (!success) {
    const name = error.issues[0]?.path[0];
    throw isVariable(name) ? refusal(name, env[name]) : error;
  }
  const roles: ReadonlySet<Role> = new Set(data.ROLES ?? ROLES);
  for (const name of ['DATABASE_URL', 'EVENTSTORE_URL'] as const) {
    if (!roles.has('embedded') && !data[name]) throw new ConfigError(`${name} must be set if ROLES does not include embedded`);
  }
  const metricsHost = data.METRICS_HOST ?? '127.0.0.1';
  if (data.METRICS_PORT !== undefined && !isLoopback(metricsHost) && !data.METRICS_TOKEN) {
    throw new ConfigError('METRICS_TOKEN must be set if METRICS_HOST is not a loopback address');
  }
  return {
    port: data.PORT ?? 3000,
    host: data.HOST ?? '127.0.0.1',
    dataDir: data.DATA_DIR ?? './data',
    databaseUrl: data.DATABASE_URL ?? null,
    databaseOwnerUrl: data.DATABASE_OWNER_URL ?? null,
    eventStoreUrl: data.EVENTSTORE_URL ?? null,
    adminKey: data.ADMIN_KEY ?? null,
    adminEmail: data.ADMIN_EMAIL ?? null,
    signInRetentionDays: data.SIGN_IN_RETENTION_DAYS ?? DEFAULT_SIGN_IN_RETENTION_DAYS,
    masterSecret: data.MASTER_SECRET ?? null,
    productName: data.PRODUCT_NAME ?? 'Latchkey',
    keyPrefix: data.KEY_PREFIX ?? 'LK',
    portalHost: data.PORTAL_HOST?.toLowerCase() ?? 'portal.latchkey.example',
    roles,
    trustProxy: data.TRUST_PROXY ?? false,
    publicOrigins: data.PUBLIC_ORIGINS ?? [],
    credentialTestAllow: data.CREDENTIAL_TEST_ALLOW ?? [],
    email: emailOf(data),
    tracesTo: data.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metrics: data.METRICS_PORT === undefined ? null : { port: data.METRICS_PORT, host: metricsHost },
    metricsToken: data.METRICS_TOKEN ?? null,
    storesNetwork: roles.size === 1 && roles.has('embedded') ? storesNetworkOf(data) : null,
    apiDocs: data.API_DOCS !== 'off',
    logLevel: data.LOG_LEVEL ?? 'info',
  };
};
