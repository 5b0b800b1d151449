import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** A browser to start, and what it needs in its environment. */
export type Chromium = { executable: string; env: NodeJS.ProcessEnv };

/** Pictures of the screens look alike on every machine; a container's /dev/shm is too small for a page. */
const ARGS = [
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
];

/** Drawing by the CPU takes a fifth of the time of the browser tests, and they do not look at pictures: the drawing commands do nothing. */
const WITHOUT_DRAWING = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gl-drawing-for-tests',
];

/** A page of a test ends before code that V8 optimizes has saved the time of its optimization: a quarter of the CPU time of a page. */
const WITHOUT_OPTIMIZATION = '--js-flags=--no-opt,--no-maglev';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/latchkey/', import.meta.url));

/** On some systems `chromium` is a script that only explains how to install one: a browser prints its version. */
const runs = (executable: string): boolean => spawnSync(executable, ['--version'], { stdio: 'ignore' }).status === 0;

/** The full paths where a program may be: Playwright starts a browser by its full path only. */
const locations = (program: string, { PATH = '' }: NodeJS.ProcessEnv): string[] =>
  basename(program) === program ? PATH.split(delimiter).map((folder) => join(folder, program)) : [resolve(program)];

/** The packaged one names folders of AWS Lambda. Only the fonts beside it are used, so that a page has the same ones everywhere. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Unpacks the browser out of the npm package `@sparticuz/chromium`, whose own start options and paths are made for AWS Lambda. */
const unpack = async (packageRoot: string, folder: string): Promise<void> => {
  const { extract } = createRequire(join(packageRoot, 'package.json'))('tar-fs') as { extract: (folder: string) => Writable };
  const aside = `${folder}.${randomBytes(6).toString('hex')}`;
  const inflate = (name: string, into: Writable) =>
    pipeline(createReadStream(join(packageRoot, 'bin', name)), createBrotliDecompress(), into);
  await mkdir(aside, { recursive: true });
  try {
    await Promise.all([
      inflate('chromium.br', createWriteStream(join(aside, 'chromium'), { mode: 0o755 })),
      inflate('swiftshader.tar.br', extract(aside)),
      inflate('fonts.tar.br', extract(join(aside, 'fonts'))),
      inflate('al2023.tar.br', extract(join(aside, 'al2023'))), // the libraries that a server has not
    ]);
    await writeFile(join(aside, 'fonts', 'fonts.conf'), FONTS_CONF);
    await rename(aside, folder);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(join(folder, 'chromium'))) throw error; // else another test run was faster
  }
};

const packagedChromium = async (): Promise<Chromium> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The packaged Chromium runs on Linux x64 only, not on ${process.platform} ${process.arch}. Install Chrome or Chromium, and set CHROMIUM_PATH to it.`,
    );
  }
  const packageRoot = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
  const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(packageRoot, folder);
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    executable: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: join(folder, 'fonts', 'fonts.conf'),
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
  };
};

/** The packaged browser, so that every machine tests the same one, unless CHROMIUM_PATH names another: a path or a name on PATH. */
export const findChromium = async (env = process.env): Promise<Chromium> => {
  const { CHROMIUM_PATH } = env;
  if (!CHROMIUM_PATH) return packagedChromium();
  const executable = locations(CHROMIUM_PATH, env).find((path) => existsSync(path) && runs(path));
  if (!executable) throw new Error(`CHROMIUM_PATH=${CHROMIUM_PATH} is not a Chromium that runs here. Correct it, or unset it.`);
  return { executable, env };
};

/** A real browser without a window; close it after the tests. */
export const launchBrowser = async (options: LaunchOptions = {}): Promise<Browser> => {
  const { executable, env } = await findChromium();
  return chromium.launch({ ...options, executablePath: executable, env, args: [...ARGS, ...(options.args ?? [])] });
};

/** A browser for tests: its screenshots are empty, unless DRAW_PAGES is set. */
export const launchTestBrowser = (): Promise<Browser> =>
  launchBrowser({ args: [WITHOUT_OPTIMIZATION, ...(process.env.DRAW_PAGES ? [] : WITHOUT_DRAWING)] });
