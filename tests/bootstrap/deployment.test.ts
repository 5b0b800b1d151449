import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/bootstrap/config.ts';
import { SECRET_VARIABLES } from '../../src/bootstrap/secretFiles.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(pathOf(name), 'utf8');

type Service = {
  image: string;
  profiles: string[];
  environment?: Record<string, string>;
  entrypoint?: string[];
  restart?: string;
  healthcheck?: object;
  ports?: string[];
  volumes?: string[];
  secrets?: string[];
  configs?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
};
type Compose = {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};

const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const services = Object.entries(compose.services);
const inProfile = (name: string) => services.filter(([, { profiles }]) => profiles.includes(name));
const serviceOf = (name: string): Service => {
  const service = compose.services[name];
  if (!service) throw new Error(`There is no service ${name}`);
  return service;
};
/** The scripts that a service mounts, as the container gets them. */
const scriptsOf = ({ configs = [] }: Service): string[] =>
  configs.map(({ source }) => (compose.configs[source]?.content ?? '').replaceAll('$$', '$'));

/** The attributes of services that the compose specification has and this file uses. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'build',
  'command',
  'configs',
  'depends_on',
  'entrypoint',
  'environment',
  'healthcheck',
  'image',
  'init',
  'network_mode',
  'ports',
  'profiles',
  'restart',
  'secrets',
  'shm_size',
  'stop_grace_period',
  'volumes',
]);

/** Options of EventStoreDB 24.10. It does not start with an unknown one. */
const EVENTSTORE_OPTIONS: ReadonlySet<string> = new Set([
  'CERTIFICATE_FILE',
  'CERTIFICATE_PRIVATE_KEY_FILE',
  'CLUSTER_SIZE',
  'DISCOVER_VIA_DNS',
  'GOSSIP_SEED',
  'INSECURE',
  'NODE_HOST_ADVERTISE_AS',
  'NODE_IP',
  'REPLICATION_HOST_ADVERTISE_AS',
  'REPLICATION_IP',
  'RUN_PROJECTIONS',
  'TELEMETRY_OPTOUT',
  'TRUSTED_ROOT_CERTIFICATES_PATH',
]);

const POSTGRES_VARIABLES = /^POSTGRES_(USER|DB|PASSWORD|PASSWORD_FILE|INITDB_ARGS)$/;

/** Generates the secrets in a directory that the test removes. */
const generatedSecrets = (): { directory: string; secretOf: (name: string) => string } => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync('sh', [pathOf('scripts/cluster-secrets.sh'), directory]);
  return { directory, secretOf: (name) => readFileSync(join(directory, name), 'utf8') };
};

describe('the compose file', () => {
  it('uses attributes of the compose specification, and defines every service, volume, config and secret that it uses', () => {
    const used = { volumes: new Set<string>(), configs: new Set<string>(), secrets: new Set<string>() };
    for (const [name, service] of services) {
      expect(
        Object.keys(service).filter((attribute) => !ATTRIBUTES.has(attribute)),
        name,
      ).toEqual([]);
      for (const volume of service.volumes ?? []) used.volumes.add(volume.split(':')[0] ?? '');
      for (const { source } of service.configs ?? []) used.configs.add(source);
      for (const secret of service.secrets ?? []) used.secrets.add(secret);
    }
    for (const kind of ['volumes', 'configs', 'secrets'] as const)
      expect([...used[kind]].sort()).toEqual(Object.keys(compose[kind]).sort());
  });

  it('starts services after those of the same profile that end or report their health', () => {
    for (const [name, { profiles, depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const needed = serviceOf(other);
        expect(needed.profiles, `${other}, which ${name} needs`).toEqual(expect.arrayContaining(profiles));
        if (condition === 'service_completed_successfully') expect(needed.restart ?? 'no', other).toBe('no');
        else expect([condition, needed.restart], other).toEqual(['service_healthy', 'unless-stopped']);
        if (condition === 'service_healthy' && needed.image !== 'latchkey')
          expect(needed.healthcheck, other).toHaveProperty('test');
      }
    }
  });

  it('interpolates documented variables only, with an empty default for each secret', () => {
    const documents = read('docs/operations.md') + read('README.md');
    const values = JSON.stringify(compose);
    for (const [, name = '', fallback] of values.matchAll(/(?<!\$)\$\{(\w+)(?::-([^}]*))?\}/g)) {
      expect(documents, name).toContain(`\`${name}\``);
      if (/PASSWORD|KEY|SECRET|TOKEN/.test(name)) expect(fallback, name).toBe('');
    }
    expect(values.replaceAll('$$', '').match(/\$(?!\{\w)/g)).toBeNull();
  });

  it('sets only variables that each image knows', () => {
    for (const [name, { image, environment = {} }] of services) {
      for (const variable of Object.keys(environment)) {
        if (image === 'latchkey') {
          if (variable.endsWith('_FILE')) expect(SECRET_VARIABLES, name).toContain(variable.slice(0, -'_FILE'.length));
          else expect(read('README.md'), name).toContain(`\`${variable}\``);
        } else if (image.startsWith('postgres')) expect(variable, name).toMatch(POSTGRES_VARIABLES);
        else expect(EVENTSTORE_OPTIONS, name).toContain(variable.replace(/^EVENTSTORE_/, ''));
      }
    }
  });

  it('publishes ports on loopback only', () => {
    for (const [name, { ports = [] }] of services) for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  });

  it('has scripts that a shell can parse', () => {
    for (const [name, service] of services) {
      if (service.entrypoint?.[0] !== 'sh') continue;
      const [script = ''] = scriptsOf(service);
      expect(() => execFileSync('sh', ['-n'], { input: script }), name).not.toThrow();
    }
  });
});

describe('the cluster', () => {
  const cluster = [...inProfile('cluster'), ...inProfile('scavenge')];

  it('gets every secret as a file, which the script generates', () => {
    const { directory } = generatedSecrets();
    expect(readdirSync(directory).sort()).toEqual(Object.keys(compose.secrets).sort());
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
    for (const [name, service] of cluster) {
      const mentioned = JSON.stringify([service.environment, scriptsOf(service)]).matchAll(/\/run\/secrets\/([\w-]+)/g);
      expect([...new Set([...mentioned].map(([, secret]) => secret))].sort(), name).toEqual([...(service.secrets ?? [])].sort());
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        expect(String(value), variable).not.toMatch(/PASSWORD|SECRET|_KEY|TOKEN|:\/\/[^/]*@/);
      }
    }
    expect(read('.gitignore').split('\n')).toContain('/secrets/');
  });

  it('has secrets that the server accepts, in a directory of its owner only, and keeps them', () => {
    const { directory, secretOf } = generatedSecrets();
    const environment = Object.fromEntries(
      Object.entries(serviceOf('api-1').environment ?? {}).map(([name, value]) => [
        name,
        name.endsWith('_FILE') ? value.replace('/run/secrets', directory) : value.replace(/\$\{\w+:-([^}]*)\}/, '$1'),
      ]),
    );
    const config = readConfig(environment);
    expect(config.databaseUrl).toBe(`postgres://latchkey:${secretOf('database-password')}@postgres:5432/latchkey`);
    expect(config.eventStoreUrl).toMatch(/^esdb:\/\/latchkey:\w{48}@eventstore-1:.*tls=true&tlsCAFile=\/authority\/ca\.crt$/);
    expect(config.masterSecret).toHaveLength(32);
    expect(secretOf('eventstore-admin-url')).toContain(`admin:${secretOf('eventstore-admin-password')}@`);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const before = secretOf('master-secret');
    execFileSync('sh', [pathOf('scripts/cluster-secrets.sh'), directory]);
    expect(secretOf('master-secret')).toBe(before);
  });

  it('uses TLS, with a key for each node that no other service can read', () => {
    const nodes = cluster.filter(([name]) => /^eventstore-\d$/.test(name));
    expect(nodes).toHaveLength(3);
    for (const [name, { environment = {}, volumes = [] }] of nodes) {
      expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE');
      expect(environment.EVENTSTORE_NODE_HOST_ADVERTISE_AS).toBe(name);
      expect(environment.EVENTSTORE_GOSSIP_SEED?.split(',').sort()).toEqual(
        nodes.flatMap(([other]) => (other === name ? [] : [`${other}:2113`])).sort(),
      );
      expect(volumes).toContain(`${name}:/var/lib/eventstore`);
      const certificates = `certificates-${name.at(-1)}`;
      const mounting = services.filter(([, service]) => service.volumes?.some((volume) => volume.startsWith(`${certificates}:`)));
      expect(mounting.map(([user]) => user).sort()).toEqual(['certificates', name]);
    }
    const withKey = services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.startsWith('authority-key:')));
    expect(withKey.map(([name]) => name)).toEqual(['certificates']);
  });

  it('gives the product and the scavenge no more rights than they need', () => {
    expect(scriptsOf(serviceOf('eventstore-user'))[0]).toContain('"loginName":"latchkey","fullName":"Latchkey","groups":[]');
    expect(compose.services['eventstore-access']).toMatchObject({
      command: ['node', 'bin/latchkey-admin.js', 'grant-store-access', 'latchkey'],
    });
    for (const name of ['api-1', 'api-2', 'projector-1', 'projector-2', 'scavenge'])
      expect(
        serviceOf(name).secrets?.filter((secret) => /eventstore-admin|postgres-/.test(secret)),
        name,
      ).toEqual([]);
    expect(compose.configs['create-roles']?.content).toContain('create role latchkey login noinherit');
  });

  it('starts a deposed node again, which exits with code 0', () => {
    for (const name of ['eventstore-1', 'eventstore-2', 'eventstore-3']) expect(serviceOf(name).restart).toBe('unless-stopped');
  });
});

describe('the image', () => {
  it('is built on a maintained LTS release, runs as an ordinary user and holds built files only', () => {
    const image = read('Dockerfile');
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(['node:24-slim', 'node:24-slim']);
    expect(image).toMatch(/^USER node$/m);
    expect(image).toContain('--omit=dev');
    for (const left of ['.git', 'tests', 'docs', 'data', 'secrets', '**/node_modules'])
      expect(read('.dockerignore').split('\n')).toContain(left);
  });
});
