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

const SYSTEM = [
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Pictures of the screens look alike on every machine; a container's /dev/shm is too small for a page. */
const ARGS = [
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
];

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/latchkey/', import.meta.url));

/** A stub that only tells how to install a browser is there too on some systems, so it has to say its version. */
const runs = (executable: string): boolean => spawnSync(executable, ['--version'], { stdio: 'ignore' }).status === 0;

/** The whole path of a program that is named as on a command line: a browser is started by nothing less. */
const located = (program: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined =>
  (basename(program) === program ? PATH.split(delimiter).map((folder) => join(folder, program)) : [resolve(program)]).find(
    existsSync,
  );

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
      `No Chromium for ${process.platform} ${process.arch} comes with the tests: install Chrome, or name a Chromium in CHROMIUM_PATH.`,
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

/** That of CHROMIUM_PATH, otherwise one of the system, otherwise the one that npm installed. */
export const findChromium = async (env = process.env): Promise<Chromium> => {
  const { CHROMIUM_PATH } = env;
  const executable = (CHROMIUM_PATH ? [CHROMIUM_PATH] : SYSTEM)
    .flatMap((program) => located(program, env) ?? [])
    .find((program) => runs(program));
  if (executable) return { executable, env };
  if (CHROMIUM_PATH) throw new Error(`CHROMIUM_PATH is no Chromium that runs here: ${CHROMIUM_PATH}`);
  return packagedChromium();
};

/** A real browser without a window; close it after the tests. */
export const launchBrowser = async (options: LaunchOptions = {}): Promise<Browser> => {
  const { executable, env } = await findChromium();
  return chromium.launch({ ...options, executablePath: executable, env, args: [...ARGS, ...(options.args ?? [])] });
};
