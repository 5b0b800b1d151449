// Runs after Vite: a page for each screen that preloads its modules, hashes for the content security policy,
// compressed copies of everything, and the check of the budgets.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { pages } from './areas.js';
import { checkBudgets } from './budgets.js';
import { dist, filesOf, takeManifest } from './manifest.js';

const COMPRESSED = /\.(js|css|html|svg|json|txt)$/;
/** Below this size the headers outweigh what is saved. */
const MIN_BYTES = 512;
const FIRST_FONT = 'inter-latin-wght-normal.woff2';

/** @param {string} folder @returns {string[]} every file below it */
const filesBelow = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });

/** @param {import('./manifest.js').Manifest} manifest */
const writePages = (manifest) => {
  const built = readFileSync(join(dist, 'index.html'), 'utf8');
  const font = Object.values(manifest).find(({ src }) => src?.endsWith(FIRST_FONT));
  for (const { file: page, modules, calls } of pages) {
    const { scripts, styles } = filesOf(manifest, modules);
    /** @param {string} file */
    const isNew = (file) => !built.includes(`/${file}"`);
    const links = [
      ...calls.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path}">`),
      ...(font ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font.file}">`] : []),
      ...styles.filter(isNew).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
      ...scripts.filter(isNew).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ];
    writeFileSync(join(dist, page), built.replace('</head>', `  ${links.join('\n    ')}\n  </head>`));
  }
};

const writePolicy = () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const inline = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
  const scripts = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  writeFileSync(join(dist, '.csp.json'), `${JSON.stringify({ scripts })}\n`);
};

/** Which page the server sends for which path. */
const writePaths = () => {
  const routes = pages.flatMap(({ file, paths }) => paths.map((path) => [path, file]));
  writeFileSync(join(dist, '.pages.json'), `${JSON.stringify(Object.fromEntries(routes))}\n`);
};

const compress = () => {
  for (const file of filesBelow(dist)) {
    const bytes = readFileSync(file);
    if (!COMPRESSED.test(file) || /\.(csp|pages)\.json$/.test(file) || bytes.length < MIN_BYTES) continue;
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
};

const manifest = takeManifest();
writePages(manifest);
writePolicy();
writePaths();
compress();
if (!checkBudgets(manifest)) process.exit(1);
