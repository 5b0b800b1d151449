import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { root } from './modules.ts';

const proofs = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proof.test.ts'))
  .map((path) => `tests/${path.replaceAll('\\', '/')}`);

const projectsIn = (mode: string) => JSON.stringify(config({ command: 'serve', mode }).test?.projects?.map((project) => project));

const listedFor = (...parts: readonly string[]): string[] =>
  execFileSync(process.execPath, [join(root, 'scripts/proofs.js'), '--list', ...parts], { encoding: 'utf8' })
    .trim()
    .split('\n');

it('npm run test:proofs runs every proof, and only files that exist', () => {
  const listed = listedFor();
  expect(proofs.length).toBeGreaterThan(5);
  expect(proofs.filter((path) => !listed.includes(path))).toEqual([]);
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(listed).toHaveLength(new Set(listed).size);
});

it('npm test runs no proof, and the other mode all of them', () => {
  const included = '"include":["tests/**/*.proof.test.ts"]';
  expect(projectsIn('test')).not.toContain(included);
  expect(projectsIn('test').split('"tests/**/*.proof.test.ts"')).toHaveLength(3); // excluded from both projects
  expect(projectsIn('proofs')).toContain(included);
});

it('the jobs of each night run every proof', () => {
  const [, jobs = ''] = /proofs: \[([^\]]+)\]/.exec(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')) ?? [];
  expect(listedFor(...jobs.split(/[, ]+/)).sort()).toEqual(listedFor().sort());
});

it('a proof does not ask for its tier, which its name says', () => {
  expect(proofs.filter((path) => /support\/tiers\.ts'/.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
