import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesBelow, directoryCyclesIn, importsOf, pathBelow, root, sourcesOf } from './modules.ts';

const web = join(root, 'web/src');

/** The layers of the console, topmost first. A module imports modules of its own layer and of layers below. */
const LAYERS = [
  'main.tsx',
  'app',
  'layouts',
  'features',
  'forms',
  'session',
  'live',
  'ui',
  'api',
  'theme',
  'areas.ts',
  'lib',
] as const;

/** Style sheets and declarations of types of the whole console. */
const OTHERS = ['boot.css', 'env.d.ts'];

/** What the console imports of the server: contracts, what contracts are made of, and the backoff. */
const SERVER = [
  'contracts',
  'domain/calendar.ts',
  'domain/enumerations.ts',
  'domain/ids.ts',
  'domain/limits.ts',
  'domain/permissions.ts',
  'domain/time.ts',
  'flow/backoff.ts',
];

const layerOf = (path: string): number => LAYERS.findIndex((layer) => path === layer || path.startsWith(`${layer}/`));

/** The feature that a module is a part of. */
const featureOf = (path: string): string | undefined => /^features\/(\w+)\//.exec(path)?.[1];

const isEntryPoint = (path: string): boolean => /^features\/\w+\/index\.ts$/.test(path);

/** The app loads each screen as a part of its own. */
const isScreenOfApp = (from: string, to: string): boolean =>
  from.startsWith('app/screens/') && /^features\/\w+\/components\/\w+Screens?\.tsx$/.test(to);

const imports = sourcesOf(web).flatMap((file) =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: pathBelow(web, file), to: pathBelow(web, resolve(dirname(file), specifier)) }))
    .filter(({ to }) => !to.startsWith('..')),
);

const named = (found: readonly { from: string; to: string }[]): string[] => found.map(({ from, to }) => `${from} imports ${to}`);

describe('the console', () => {
  it('imports of the server only what docs/architecture.md says', () => {
    const row =
      /^\| \[`web\/`\][^|]*\|[^|]*\| ([^|]*) \|$/m.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))?.[1] ?? '';
    expect(row).toBe(SERVER.map((path) => `\`${path}\``).join(', '));
    const violations = sourcesOf(join(root, 'web')).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.includes('/src/'))
        .filter((specifier) => !SERVER.some((path) => `${specifier}/`.includes(`/src/${path}/`)))
        .map((specifier) => `${pathBelow(root, file)} imports ${specifier}`),
    );
    expect(violations).toEqual([]);
  });

  it('has no import cycle, not even of types or of parts that are loaded later', () => {
    expect(cyclesBelow(web, importsOf)).toEqual([]);
  });

  it('has no import cycle between features', () => {
    expect(directoryCyclesIn(join(web, 'features'))).toEqual([]);
  });

  it('consists of the layers in the rules', () => {
    expect(readdirSync(web).sort()).toEqual([...LAYERS, ...OTHERS].sort());
  });

  it('imports from upper to lower layers only', () => {
    expect(named(imports.filter(({ from, to }) => /\.tsx?$/.test(to) && layerOf(to) < layerOf(from)))).toEqual([]);
  });

  it('imports a feature through its entry point only, except for the screens that the app loads', () => {
    const foreign = imports.filter(({ from, to }) => featureOf(to) !== undefined && featureOf(to) !== featureOf(from));
    expect(foreign.length).toBeGreaterThan(0);
    expect(named(foreign.filter(({ from, to }) => !isEntryPoint(to) && !isScreenOfApp(from, to)))).toEqual([]);
  });

  it('does not import an entry point in the feature itself', () => {
    expect(named(imports.filter(({ from, to }) => isEntryPoint(to) && featureOf(to) === featureOf(from)))).toEqual([]);
  });
});
