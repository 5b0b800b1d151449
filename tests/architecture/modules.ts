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

/**
 * The import cycles among the modules below a directory: of each, the modules in it by path, sorted. They are the strongly
 * connected components of more than one module (Tarjan's algorithm).
 */
export const cyclesBelow = (folder: string, specifiersOf: (file: string) => readonly string[]): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const files = new Set(sourcesOf(folder));

  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    const at = stack.push(file) - 1;
    for (const specifier of specifiersOf(file)) {
      const target = resolve(dirname(file), specifier);
      if (!specifier.startsWith('.') || !files.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low === order.get(file)) {
      const component = stack.splice(at);
      if (component.length > 1) cycles.push(component.map((member) => pathBelow(folder, member)).sort());
    }
    return low;
  };

  for (const file of files) if (!order.has(file)) visit(file);
  return cycles;
};
