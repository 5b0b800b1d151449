import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { pathBelow, root, sourcesOf } from './modules.ts';

type Named = Readonly<{ type: string; name?: string; value?: string }>;
type Declaration = Readonly<{ id?: Named; declarations?: readonly Readonly<{ id: Named }>[] }>;
type Statement = Readonly<{
  type: string;
  start: number;
  source?: { value: string } | null;
  specifiers?: readonly Readonly<{ imported?: Named; local?: Named }>[];
  declaration?: Declaration | null;
}> &
  Declaration;

const files = ['src', 'web/src'].flatMap((folder) => sourcesOf(join(root, folder)));
const modules = files.map((file) => {
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text);
  return { file, text, comments, body: program.body as unknown as readonly Statement[] };
});

/** A layer of the server; of the console a layer, or a feature. */
const layerOf = (file: string): string => {
  const path = pathBelow(root, file);
  return (/^web\/src\/features\/\w+|^web\/src\/[\w.]+|^src\/\w+/.exec(path) ?? [path])[0];
};

/** The exports that a module of another layer imports, or that the entry point of a feature exports, as `path name`. */
const usedElsewhere = new Set(
  modules.flatMap(({ file, body }) =>
    body.flatMap(({ type, source, specifiers = [] }) => {
      if (!source?.value.startsWith('.')) return [];
      const target = resolve(dirname(file), source.value);
      if (type === 'ImportDeclaration' && layerOf(target) === layerOf(file)) return [];
      return specifiers.map(({ imported, local }) => `${target} ${(imported ?? local)?.name ?? ''}`);
    }),
  ),
);

type Module = (typeof modules)[number];

const namesOf = (statement: Statement): string[] => {
  const declaration = statement.declaration ?? statement;
  return (declaration.declarations ?? [declaration]).map(({ id }) => id?.name ?? '');
};

const hasDocstring = ({ text, comments }: Module, { start }: Statement): boolean =>
  comments.some(
    ({ type, value, end }) => type === 'Block' && value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  );

/** `export type Customer = z.infer<typeof customer>` is described at its schema. */
const isDescribedAtSchema = (module: Module, { start }: Statement): boolean => {
  const schema = /^export type \w+ = z\.(?:infer|input|output)<typeof (\w+)>;/.exec(module.text.slice(start))?.[1];
  return module.body.some(
    (statement) => schema !== undefined && namesOf(statement).includes(schema) && hasDocstring(module, statement),
  );
};

const undocumented = modules.flatMap((module) =>
  module.body
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .filter((statement) => !hasDocstring(module, statement) && !isDescribedAtSchema(module, statement))
    .flatMap(namesOf)
    .filter((name) => usedElsewhere.has(`${module.file} ${name}`))
    .map((name) => `${pathBelow(root, module.file)} ${name}`),
);

describe('exports that another layer uses', () => {
  it('have a docstring, except the type of a schema', () => {
    expect(usedElsewhere.size).toBeGreaterThan(1_000);
    expect(undocumented).toEqual([]);
  });
});
