import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, src?: string, imports?: string[], dynamicImports?: string[], css?: string[] }} Chunk */
/** @typedef {Record<string, Chunk>} Manifest what was built, by source path below web/ or by a name of Vite's own */

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
export const dist = join(web, 'dist');
const kept = join(web, '.cache/manifest.json');

/** Moves Vite's manifest out of what is served; gives it. @returns {Manifest} */
export const takeManifest = () => {
  mkdirSync(dirname(kept), { recursive: true });
  renameSync(join(dist, '.vite/manifest.json'), kept);
  rmSync(join(dist, '.vite'), { recursive: true });
  return readManifest();
};

/** The manifest of the last build. @returns {Manifest} */
export const readManifest = () => JSON.parse(readFileSync(kept, 'utf8'));

/**
 * The files that a page loads to run these modules, the page's own entry included: scripts and styles.
 * @param {Manifest} manifest
 * @param {readonly string[]} modules
 */
export const filesOf = (manifest, modules) => {
  /** @type {Set<string>} */
  const scripts = new Set();
  /** @type {Set<string>} */
  const styles = new Set();
  /** @param {string} name */
  const visit = (name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`Nothing was built from ${name}`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of ['index.html', ...modules]) visit(name);
  return { scripts: [...scripts], styles: [...styles] };
};
