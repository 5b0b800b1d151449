import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (name: string): string => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

type Service = {
  environment?: Record<string, string>;
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  configs?: { source: string }[];
  depends_on?: Record<string, { condition: string }>;
};
type Compose = {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
  volumes: Record<string, unknown>;
};

const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const services = Object.entries(compose.services);
const cluster = services.filter(([, { profiles }]) => profiles?.includes('cluster'));
const PASSWORDS = [
  'POSTGRES_PASSWORD',
  'DATABASE_OWNER_PASSWORD',
  'DATABASE_PASSWORD',
  'EVENTSTORE_ADMIN_PASSWORD',
  'EVENTSTORE_PASSWORD',
];

describe('the compose file', () => {
  it('has no default for a password, key or secret', () => {
    for (const [name, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment)) {
        const defaults = [...String(value).matchAll(/\$\{(\w*(?:PASSWORD|KEY|SECRET)\w*):?-([^}]*)\}/g)].map(([, of, given]) => [
          of,
          given,
        ]);
        for (const [of, given] of defaults) expect(given, `${of} in ${variable} of ${name}`).toBe('');
        if (/PASSWORD|KEY$|SECRET/.test(variable))
          expect(String(value), `${variable} of ${name}`).toMatch(/^\$\{\w+:-\}$|^\/certificates\//);
      }
    }
  });

  it('checks each password before anything of the cluster starts', () => {
    const check = compose.configs['check-passwords']?.content ?? '';
    for (const name of PASSWORDS) expect(check).toContain(name);
    expect(Object.keys(compose.services.passwords?.environment ?? {}).sort()).toEqual([...PASSWORDS].sort());
    expect(compose.services.certificates?.depends_on).toHaveProperty('passwords');
    expect(compose.services.postgres?.depends_on).toHaveProperty('passwords');
  });

  it('runs the cluster with TLS and with its own users', () => {
    const nodes = cluster.filter(([name]) => /^eventstore-\d$/.test(name));
    expect(nodes).toHaveLength(3);
    for (const [name, { environment = {} }] of nodes) {
      expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE');
      expect(environment.EVENTSTORE_CERTIFICATE_FILE).toBe(`/certificates/${name}/node.crt`);
      expect(environment.EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE).toBe(`/certificates/${name}/node.key`);
      expect(environment.EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH).toBe('/authority');
    }
    for (const [, { environment = {}, volumes = [] }] of cluster.filter(([, service]) => service.environment?.ROLES)) {
      expect(environment.EVENTSTORE_URL).toMatch(/^esdb:\/\/latchkey:.*tls=true&tlsCAFile=\/authority\/ca\.crt$/);
      expect(environment.DATABASE_URL).toMatch(/^postgres:\/\/latchkey:/);
      expect(environment.DATABASE_OWNER_URL).toMatch(/^postgres:\/\/latchkey_owner:/);
      expect(volumes.filter((volume) => volume.startsWith('certificates:'))).toEqual([]);
    }
  });

  it('publishes ports on loopback only, and names every volume and config that it uses', () => {
    for (const [name, { ports = [], volumes = [], configs = [] }] of services) {
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
      for (const volume of volumes) expect(compose.volumes, name).toHaveProperty(volume.split(':')[0] ?? '');
      for (const { source } of configs) expect(compose.configs, name).toHaveProperty(source);
    }
  });
});

describe('the image', () => {
  it('is built on a maintained LTS release, runs as an ordinary user and contains built files only', () => {
    const image = read('Dockerfile');
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(['node:24-slim', 'node:24-slim']);
    expect(image).toMatch(/^USER node$/m);
    expect(image).toContain('--omit=dev');
    for (const left of ['.git', 'tests', 'docs', 'data', '**/node_modules'])
      expect(read('.dockerignore').split('\n')).toContain(left);
  });
});
