import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesBelow, directoryCyclesIn, importsOf, pathBelow, root, sourcesOf } from './modules.ts';

type Layer =
  | 'domain'
  | 'flow'
  | 'auditLog'
  | 'embedded'
  | 'contracts'
  | 'tracing'
  | 'database'
  | 'security'
  | 'outbound'
  | 'eventstore'
  | 'commands'
  | 'projections'
  | 'policies'
  | 'http'
  | 'live'
  | 'bootstrap'
  | 'cli'
  | 'admin'
  | 'demo';

/**
 * The layers, single files of layers, and packages that a layer may import beside itself and the modules of Node.js. Each imports only
 * layers above it.
 */
const allowed: Record<Layer, { layers: readonly string[]; packages: 'any' | readonly string[] }> = {
  domain: { layers: [], packages: ['immutable'] },
  flow: { layers: [], packages: ['lru-cache'] },
  auditLog: { layers: [], packages: [] },
  embedded: { layers: [], packages: 'any' },
  contracts: {
    layers: [
      'domain/enumerations.ts',
      'domain/ids.ts',
      'domain/limits.ts',
      'domain/permissions.ts',
      'domain/signIns/methods.ts',
      'domain/seatDenials/reasons.ts',
      'domain/apiCalls/outcome.ts',
      'domain/operations/metrics.ts',
      'domain/time.ts',
    ],
    packages: ['zod'],
  },
  tracing: { layers: ['contracts/traceparent.ts'], packages: ['@opentelemetry/api'] },
  database: { layers: ['domain', 'flow'], packages: ['kysely', 'pg', 'pg-protocol'] },
  security: {
    layers: ['domain', 'flow', 'database'],
    packages: [
      'kysely',
      '@node-rs/argon2',
      'jose',
      'ipaddr.js',
      'otplib',
      '@simplewebauthn/server',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
    ],
  },
  outbound: { layers: ['domain', 'flow'], packages: ['undici', 'ipaddr.js', 'openid-client', 'nodemailer'] },
  eventstore: {
    layers: ['domain', 'flow', 'contracts/traceparent.ts', 'tracing', 'security'],
    packages: ['@eventstore/db-client', '@grpc/grpc-js', 'protobufjs', 'zod'],
  },
  commands: { layers: ['domain', 'tracing', 'eventstore/port.ts'], packages: ['lru-cache'] },
  projections: {
    layers: ['domain', 'flow', 'auditLog', 'contracts', 'tracing', 'database', 'eventstore/port.ts'],
    packages: ['kysely', 'lru-cache', 'pg'],
  },
  policies: {
    layers: ['domain', 'flow', 'contracts', 'database', 'security', 'outbound', 'eventstore/port.ts', 'commands', 'projections'],
    packages: ['kysely', 'pg'],
  },
  http: {
    layers: ['domain', 'flow', 'auditLog', 'contracts', 'tracing', 'database', 'security', 'outbound', 'commands', 'projections'],
    packages: 'any',
  },
  // Imports the edge that it is mounted on; the edge gets it from bootstrap and never imports it.
  live: { layers: ['domain', 'flow', 'contracts', 'tracing', 'database', 'security', 'projections', 'http'], packages: 'any' },
  bootstrap: {
    layers: [
      'domain',
      'auditLog',
      'embedded',
      'tracing',
      'database',
      'security',
      'outbound',
      'eventstore',
      'commands',
      'projections',
      'policies',
      'http',
      'live',
    ],
    packages: 'any',
  },
  // Installed beside other programs: it reaches the server over the network only.
  cli: { layers: ['domain', 'flow', 'contracts'], packages: 'any' },
  admin: {
    layers: [
      'domain',
      'auditLog',
      'embedded',
      'contracts',
      'database',
      'security',
      'eventstore',
      'projections',
      'policies/engine/checkpoint.ts',
      'http/requests/logging.ts',
      'bootstrap',
      'cli',
    ],
    packages: 'any',
  },
  demo: { layers: ['domain', 'flow', 'contracts', 'security', 'eventstore/port.ts', 'commands', 'bootstrap'], packages: ['ws'] },
};

/** What single folders may import: an engine knows no policy and no read model, and the recorder knows no command. */
const foundations: Record<string, readonly string[]> = {
  'cli/recording': [
    'contracts',
    'domain',
    'flow',
    'cli/api',
    'cli/home',
    'cli/env.ts',
    'cli/failure.ts',
    'cli/io.ts',
    'cli/waiting.ts',
  ],
  'policies/engine': ['domain', 'flow', 'eventstore/port.ts', 'database'],
  'projections/engine': ['domain', 'flow', 'tracing', 'contracts', 'eventstore/port.ts', 'database'],
  'projections/lists': ['contracts', 'domain/enumerations.ts', 'domain/ids.ts', 'database'],
};

/** The read side never decides: it may know what happened, not how it was decided. */
const DECIDING = /^domain\/\w+\/(decide|evolve|decider|commands)\w*\.ts$/;

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** A file of src by its path in it, where the specifier names one. */
const targetOf = (file: string, specifier: string): string => pathBelow(join(root, 'src'), resolve(dirname(file), specifier));

const isBelow = (target: string, entries: readonly string[]): boolean =>
  entries.some((entry) => target === entry || target.startsWith(`${entry}/`));

const isAllowed = (layer: Layer, file: string, specifier: string): boolean => {
  if (specifier.startsWith('node:')) return layer !== 'domain' && layer !== 'contracts';
  if (!specifier.startsWith('.')) {
    const { packages } = allowed[layer];
    return packages === 'any' || packages.includes(packageOf(specifier));
  }
  const target = targetOf(file, specifier);
  if (layer === 'projections' && DECIDING.test(target)) return false;
  return isBelow(target, [layer, ...allowed[layer].layers]);
};

const LAYERS = Object.keys(allowed) as Layer[];

describe('the layers of src', () => {
  for (const layer of LAYERS) {
    it(`${layer} imports only what it may`, () => {
      const violations = sourcesOf(join(root, 'src', layer)).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => !isAllowed(layer, file, specifier))
          .map((specifier) => `${relative(root, file)} imports ${specifier}`),
      );
      expect(violations).toEqual([]);
    });
  }

  for (const [folder, others] of Object.entries(foundations)) {
    it(`${folder} imports nothing that is built on it`, () => {
      const violations = sourcesOf(join(root, 'src', folder)).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.') && !isBelow(targetOf(file, specifier), [folder, ...others]))
          .map((specifier) => `${relative(root, file)} imports ${specifier}`),
      );
      expect(violations).toEqual([]);
    });
  }

  it('http/routes is imported by what registers routes only', () => {
    const http = join(root, 'src/http');
    const importers = sourcesOf(http)
      .map((file) => pathBelow(http, file))
      .filter((path) => !path.startsWith('routes/'))
      .filter((path) => importsOf(join(http, path)).some((specifier) => specifier.includes('/routes/')));
    expect(importers.sort()).toEqual(['app.ts', 'routes.ts']);
  });

  it.each(LAYERS)('%s imports all that it may', (layer) => {
    const specifiers = sourcesOf(join(root, 'src', layer)).flatMap((file) =>
      importsOf(file).map((specifier) => (specifier.startsWith('.') ? targetOf(file, specifier) : packageOf(specifier))),
    );
    const { layers, packages } = allowed[layer];
    const unused = [...layers, ...(packages === 'any' ? [] : packages)].filter(
      (entry) => !specifiers.some((specifier) => isBelow(specifier, [entry])),
    );
    expect(unused).toEqual([]);
  });

  it.each(LAYERS)('%s names the layers that it may import, and no others, in its README', (layer) => {
    const text = readFileSync(join(root, 'src', layer, 'README.md'), 'utf8');
    const imports = /\*\*Imports:\*\*([^|]*?)(\.\s|\.?\n\n)/.exec(text)?.[1] ?? '';
    const layers = new Set(allowed[layer].layers.map((path) => path.split('/')[0] ?? ''));
    expect(imports).not.toBe('');
    const isExcept = imports.includes('every layer but');
    const named = LAYERS.filter((name) => new RegExp(`\\b${name}\\b`).test(imports));
    expect(named).toEqual(LAYERS.filter((name) => name !== layer && layers.has(name) !== isExcept));
  });

  it('are all named in the rules', () => {
    expect(readdirSync(join(root, 'src')).sort()).toEqual([...LAYERS].sort());
  });

  it('are described in this order, with their imports, in docs/architecture.md', () => {
    const table = [
      ...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^\| \[`src\/(\w+)\/`\][^|]*\|[^|]*\| ([^|]*) \|$/gm),
    ].map(([, layer, imports]) => [layer, imports]);
    expect(table).toEqual(
      LAYERS.map((layer) => [layer, allowed[layer].layers.map((path) => `\`${path}\``).join(', ') || 'nothing']),
    );
  });

  it('import only layers above them', () => {
    const below = LAYERS.flatMap((layer, place) =>
      allowed[layer].layers
        .filter((path) => !LAYERS.slice(0, place).some((above) => isBelow(path, [above])))
        .map((path) => `${layer} imports ${path}`),
    );
    expect(below).toEqual([]);
  });

  it('have no import cycle, not even of types', () => {
    expect(cyclesBelow(join(root, 'src'), importsOf)).toEqual([]);
  });

  it.each(LAYERS)('%s has no import cycle between its directories', (layer) => {
    expect(directoryCyclesIn(join(root, 'src', layer))).toEqual([]);
  });

  it('eventstore does not import what copies event stores', () => {
    const layer = join(root, 'src/eventstore');
    const importers = sourcesOf(layer).filter((file) => importsOf(file).some((specifier) => specifier.startsWith('./copy/')));
    expect(importers.map((file) => pathBelow(layer, file))).toEqual([]);
  });
});

describe('time and chance', () => {
  it('enter the domain, the write side and the read side by parameter only', () => {
    const own = /\bDate\.now\(|\bnew Date\(\)|\brandomUUID\(|\bMath\.random\(/;
    const offenders = ['domain', 'commands', 'policies', 'projections', 'contracts']
      .flatMap((layer) => sourcesOf(join(root, 'src', layer)))
      .filter((file) => own.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file));
    expect(offenders).toEqual([]);
  });
});
