import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig, type Variable } from '../../src/bootstrap/config.ts';
import { ConfigError } from '../../src/bootstrap/configError.ts';

const secret = Buffer.alloc(32, 0xfb).toString('base64');

const refusalOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`Accepted ${JSON.stringify(env)}`);
};

describe('the configuration', () => {
  it('defaults to a server on this machine with everything embedded', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: null,
      databaseOwnerUrl: null,
      eventStoreUrl: null,
      adminKey: null,
      adminEmail: null,
      signInRetentionDays: 90,
      masterSecret: null,
      productName: 'Latchkey',
      keyPrefix: 'LK',
      portalHost: 'portal.latchkey.example',
      roles: new Set(['api', 'projector', 'embedded']),
      trustProxy: false,
      publicOrigins: [],
      credentialTestAllow: [],
      email: null,
      metrics: null,
      metricsToken: null,
      tracesTo: null,
      storesNetwork: null,
      apiDocs: true,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', ROLES: '', TRUST_PROXY: '' })).toEqual(readConfig({}));
  });

  it('parses every variable into a value', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '::',
      DATA_DIR: '/var/lib/latchkey',
      DATABASE_URL: 'postgresql://u:p@db/latchkey',
      DATABASE_OWNER_URL: 'postgresql://owner:p@db/latchkey',
      EVENTSTORE_URL: 'esdb+discover://admin:changeit@es:2113?tls=true',
      ADMIN_KEY: 'correct-horse-battery',
      ADMIN_EMAIL: 'ops@example.com',
      SIGN_IN_RETENTION_DAYS: '30',
      MASTER_SECRET: secret,
      PRODUCT_NAME: 'Clés & Co',
      KEY_PREFIX: 'CC2',
      PORTAL_HOST: 'Portal.Example.com',
      ROLES: 'api, projector',
      TRUST_PROXY: '10.0.0.0/8,loopback',
      PUBLIC_ORIGINS: 'https://licenses.example.com, http://localhost:5173/',
      CREDENTIAL_TEST_ALLOW: '127.0.0.1,fd00::/8',
      SMTP_URL: 'smtp://licenses%40example.com:p%2Fss@mail.example.com',
      SMTP_FROM: 'licenses@example.com',
      METRICS_PORT: '9464',
      METRICS_HOST: '0.0.0.0',
      METRICS_TOKEN: 'a-token-of-the-scraper',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      API_DOCS: 'off',
      LOG_LEVEL: 'debug',
    });
    const { masterSecret, credentialTestAllow, ...rest } = config;
    expect(masterSecret).toEqual(Buffer.alloc(32, 0xfb));
    expect(credentialTestAllow.map(([address, prefix]) => [address.toString(), prefix])).toEqual([
      ['127.0.0.1', 32],
      ['fd00::', 8],
    ]);
    expect(rest).toEqual({
      port: 8080,
      host: '::',
      dataDir: '/var/lib/latchkey',
      databaseUrl: 'postgresql://u:p@db/latchkey',
      databaseOwnerUrl: 'postgresql://owner:p@db/latchkey',
      eventStoreUrl: 'esdb+discover://admin:changeit@es:2113?tls=true',
      adminKey: 'correct-horse-battery',
      adminEmail: 'ops@example.com',
      signInRetentionDays: 30,
      productName: 'Clés & Co',
      keyPrefix: 'CC2',
      portalHost: 'portal.example.com',
      roles: new Set(['api', 'projector']),
      trustProxy: ['10.0.0.0/8', 'loopback'],
      publicOrigins: ['https://licenses.example.com', 'http://localhost:5173'],
      email: {
        server: {
          host: 'mail.example.com',
          port: 587,
          secure: false,
          requireTls: true,
          auth: { user: 'licenses@example.com', password: 'p/ss' },
        },
        from: 'licenses@example.com',
        origin: 'https://licenses.example.com',
      },
      metrics: { port: 9464, host: '0.0.0.0' },
      metricsToken: 'a-token-of-the-scraper',
      tracesTo: 'http://collector:4318/',
      storesNetwork: null,
      apiDocs: false,
      logLevel: 'debug',
    });
  });

  it.each<[Variable, string]>([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['API_DOCS', 'yes'],
    ['METRICS_PORT', 'any'],
    ['METRICS_HOST', 'http://localhost'],
    ['METRICS_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['HOST', 'local host'],
    ['HOST', 'http://localhost'],
    ['DATABASE_URL', 'mysql://localhost/latchkey'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_OWNER_URL', 'mysql://localhost/latchkey'],
    ['EVENTSTORE_URL', 'http://localhost:2113'],
    ['ADMIN_KEY', 'short'],
    ['ADMIN_KEY', 'with spaces in the middle'],
    ['ADMIN_EMAIL', 'ops'],
    ['SIGN_IN_RETENTION_DAYS', '0'],
    ['SIGN_IN_RETENTION_DAYS', '3651'],
    ['SIGN_IN_RETENTION_DAYS', '1.5'],
    ['MASTER_SECRET', 'bm90IDMyIGJ5dGVz'],
    ['MASTER_SECRET', `${secret.slice(0, -2)}!=`],
    ['PRODUCT_NAME', 'two\nlines'],
    ['PRODUCT_NAME', 'x'.repeat(61)],
    ['KEY_PREFIX', 'lk'],
    ['KEY_PREFIX', 'LK-X'],
    ['PORTAL_HOST', 'https://portal.example.com'],
    ['PORTAL_HOST', '-portal.example.com'],
    ['ROLES', 'api,worker'],
    ['ROLES', 'api,,projector'],
    ['TRUST_PROXY', 'on'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['PUBLIC_ORIGINS', 'https://licenses.example.com/console'],
    ['PUBLIC_ORIGINS', 'licenses.example.com'],
    ['PUBLIC_ORIGINS', '*'],
    ['CREDENTIAL_TEST_ALLOW', '10.1/16'],
    ['CREDENTIAL_TEST_ALLOW', '10.0.0.0/8/8'],
    ['CREDENTIAL_TEST_ALLOW', 'jira.example.com'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://user@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com/?requireTLS=false'],
    ['SMTP_FROM', 'Licenses <licenses@example.com>'],
    ['LOG_LEVEL', 'verbose'],
  ])('refuses %s=%j in one line that says what it accepts', (name, value) => {
    const line = refusalOf({ [name]: value });
    expect(line).toMatch(new RegExp(`^${name} must be \\S.+$`));
  });

  it('names an invalid value in the error, but never one that may be a secret', () => {
    expect(refusalOf({ PORT: 'http' })).toBe('PORT must be a port from 0 to 65535, 0 for any free one; got "http"');
    for (const name of [
      'DATABASE_URL',
      'DATABASE_OWNER_URL',
      'EVENTSTORE_URL',
      'ADMIN_KEY',
      'MASTER_SECRET',
      'METRICS_TOKEN',
      'SMTP_URL',
    ]) {
      expect(refusalOf({ [name]: 'canary value' })).not.toContain('canary');
    }
  });

  it('lets embedded stores listen for other nodes if they are the only role, with TLS or on a loopback address', () => {
    const network = { host: '127.0.0.1', databasePort: 5432, eventStorePort: 2113, tls: null };
    expect(readConfig({ ROLES: 'embedded' }).storesNetwork).toEqual(network);
    expect(readConfig({ ROLES: 'embedded,api', EMBEDDED_HOST: '0.0.0.0' }).storesNetwork).toBeNull();
    expect(refusalOf({ ROLES: 'embedded', EMBEDDED_HOST: '0.0.0.0' })).toBe(
      'EMBEDDED_TLS_CERT and EMBEDDED_TLS_KEY must be set if EMBEDDED_HOST is not a loopback address',
    );
    const all = { EMBEDDED_HOST: '0.0.0.0', EMBEDDED_DATABASE_PORT: '15432', EMBEDDED_EVENTSTORE_PORT: '12113' };
    const tls = { EMBEDDED_TLS_CERT: 'stores.crt', EMBEDDED_TLS_KEY: 'stores.key' };
    expect(readConfig({ ROLES: 'embedded', ...all, ...tls }).storesNetwork).toEqual({
      host: '0.0.0.0',
      databasePort: 15_432,
      eventStorePort: 12_113,
      tls: { certFile: 'stores.crt', keyFile: 'stores.key' },
    });
  });

  it('requires a sender and an origin for links where a mail server is set', () => {
    const SMTP_URL = 'smtps://[::1]';
    const SMTP_FROM = 'licenses@example.com';
    expect(refusalOf({ SMTP_URL })).toBe('SMTP_FROM must be set if SMTP_URL is set');
    expect(refusalOf({ SMTP_URL, SMTP_FROM })).toBe(
      'PUBLIC_ORIGINS must be set if SMTP_URL is set: links in emails begin with its first origin',
    );
    const { email } = readConfig({ SMTP_URL, SMTP_FROM, PUBLIC_ORIGINS: 'https://licenses.example.com' });
    expect(email?.server).toEqual({ host: '::1', port: 465, secure: true, requireTls: false, auth: null });
  });

  it('requires a token for metrics that are not on loopback', () => {
    expect(refusalOf({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' })).toBe(
      'METRICS_TOKEN must be set if METRICS_HOST is not a loopback address',
    );
    expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' });
  });

  it('accepts the socket of an embedded event store of another process', () => {
    const EVENTSTORE_URL = 'esdb+unix://%2Fdata/eventstore.sock';
    expect(readConfig({ ROLES: 'api', DATABASE_URL: 'postgres://db/x', EVENTSTORE_URL }).eventStoreUrl).toBe(EVENTSTORE_URL);
  });

  it('requires both stores for a process that embeds none', () => {
    expect(refusalOf({ ROLES: 'api', EVENTSTORE_URL: 'esdb://es:2113' })).toBe(
      'DATABASE_URL must be set if ROLES does not include embedded',
    );
    expect(refusalOf({ ROLES: 'projector', DATABASE_URL: 'postgres://db/x' })).toContain('EVENTSTORE_URL');
  });
});

describe('a secret in a file', () => {
  const fileWith = (content: string): string => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-config-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(join(directory, 'value'), content);
    return join(directory, 'value');
  };

  it('is read instead of the variable', () => {
    expect(readConfig({ MASTER_SECRET_FILE: fileWith(`${secret}\n`) }).masterSecret).toEqual(Buffer.alloc(32, 0xfb));
    expect(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE: fileWith('postgres://u:p@db/latchkey') }).databaseUrl).toBe(
      'postgres://u:p@db/latchkey',
    );
    expect(readConfig({ ADMIN_KEY: 'correct-horse-battery', ADMIN_KEY_FILE: ' ' }).adminKey).toBe('correct-horse-battery');
  });

  it('must be readable, not empty, and not be set twice', () => {
    expect(refusalOf({ ADMIN_KEY_FILE: '/nowhere/key' })).toMatch(/^ADMIN_KEY_FILE must be the path of a readable file: ENOENT/);
    expect(refusalOf({ ADMIN_KEY_FILE: fileWith('\n') })).toBe('The file of ADMIN_KEY_FILE is empty');
    expect(refusalOf({ ADMIN_KEY: 'correct-horse-battery', ADMIN_KEY_FILE: fileWith('x') })).toBe(
      'Set ADMIN_KEY or ADMIN_KEY_FILE, not both',
    );
  });

  it('is not shown if it is not valid', () => {
    expect(refusalOf({ ADMIN_KEY_FILE: fileWith('too short') })).not.toContain('too short');
  });
});
