import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root directory. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The TypeScript modules below a directory, as absolute paths. */
export const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => join(folder, file));

const IMPORT = /(?:^(?:import|export)\b(?:[^;'=]*\bfrom)?\s*|\bimport\(\s*)'([^']+)'/gm;

/** The specifiers that a module imports or exports from: values, types and `import()`. */
export const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1] ?? '');

/** A path below a directory, with `/` on every platform. */
export const pathBelow = (folder: string, file: string): string => relative(folder, file).split(sep).join('/');

/** The strongly connected components of more than one node (Tarjan's algorithm). */
const cyclesOf = (nodes: Iterable<string>, targetsOf: (node: string) => Iterable<string>): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (node: string): number => {
    let low = order.size;
    order.set(node, low);
    const at = stack.push(node) - 1;
    for (const target of targetsOf(node)) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(node, low);
    if (low === order.get(node)) {
      const component = stack.splice(at);
      if (component.length > 1) cycles.push(component.sort());
    }
    return low;
  };

  for (const node of nodes) if (!order.has(node)) visit(node);
  return cycles;
};

/** The import cycles among the modules below a directory: of each, the modules in it by path, sorted. */
export const cyclesBelow = (folder: string, specifiersOf: (file: string) => readonly string[]): string[][] => {
  const files = new Set(sourcesOf(folder));
  const targetsOf = (file: string): string[] =>
    specifiersOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolve(dirname(file), specifier))
      .filter((target) => files.has(target));
  const cycles = cyclesOf(files, targetsOf);
  return cycles.map((cycle) => cycle.map((file) => pathBelow(folder, file)));
};

/** The import cycles among the directories that are directly in a directory; modules beside them do not count. */
export const directoryCyclesIn = (folder: string): string[][] => {
  const directoryOf = (file: string): string | undefined => /^(\w+)\//.exec(pathBelow(folder, file))?.[1];
  const imports = new Map<string, Set<string>>();
  for (const file of sourcesOf(folder)) {
    const directory = directoryOf(file);
    if (directory === undefined) continue;
    const targets = imports.get(directory) ?? new Set();
    imports.set(directory, targets);
    for (const specifier of importsOf(file)) {
      const target = specifier.startsWith('.') ? directoryOf(resolve(dirname(file), specifier)) : undefined;
      if (target !== undefined) targets.add(target);
    }
  }
  return cyclesOf(imports.keys(), (directory) => imports.get(directory) ?? []);
};
