import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './modules.ts';

const LAYERS = readdirSync(join(root, 'src'));
/** Documents that describe the present code; decisions and the changelog describe the past. */
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'web/README.md'],
  ...LAYERS.map((layer) => `src/${layer}/README.md`),
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Files and folders of the repository that a document names as code. */
const pathsIn = (document: string): string[] => {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/`((?:src|tests|web|bench|scripts|docs)\/[\w./-]+)`/g)].flatMap(([, path]) => (path ? [path] : []));
};

it('the documents name only files and folders that exist', () => {
  const named = DOCUMENTS.flatMap((document) => pathsIn(document).map((path) => ({ document, path })));
  expect(named.length).toBeGreaterThan(50);
  const exists = (document: string, path: string): boolean =>
    path.startsWith('web/dist') || [root, join(root, dirname(document))].some((folder) => existsSync(join(folder, path)));
  expect(named.filter(({ document, path }) => !exists(document, path))).toEqual([]);
});

it.each(LAYERS)('the README of src/%s is short and names only files and folders of the layer', (layer) => {
  const text = readFileSync(join(root, 'src', layer, 'README.md'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const content = text.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  const named = content.flatMap((cell) => [...cell.matchAll(/`([\w./-]+)`/g)].flatMap(([, path]) => (path ? [path] : [])));
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((path) => !existsSync(join(root, 'src', layer, path)))).toEqual([]);
});

it('the titles of decision records begin with their numbers', () => {
  const titles = readdirSync(join(root, 'docs/decisions')).map((name) => {
    const [title] = readFileSync(join(root, 'docs/decisions', name), 'utf8').split('\n');
    return { name, number: Number(/^# (\d+)\. \S/.exec(title ?? '')?.[1]) };
  });
  expect(titles.filter(({ name, number }) => number !== Number(name.slice(0, 4)))).toEqual([]);
});
