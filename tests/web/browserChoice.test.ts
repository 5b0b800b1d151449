import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/chromium.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-browser-'));
  for (const [name, status] of [
    ['chromium', 0],
    ['stub', 1],
  ]) {
    await writeFile(join(folder, `${name}`), `#!/bin/sh\nexit ${status}\n`);
    await chmod(join(folder, `${name}`), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const found = async (env: NodeJS.ProcessEnv): Promise<string> => (await findChromium(env)).executable;

/** It runs on no other platform; there CHROMIUM_PATH is needed. */
const hasPackaged = process.platform === 'linux' && process.arch === 'x64';

describe('the browser of the tests', () => {
  it('is the packaged one, even if PATH contains another', async () => {
    const choice = await found({ PATH: folder }).catch((error: Error) => error.message);
    expect(choice).toContain(hasPackaged ? join('node_modules', '.cache', 'latchkey') : 'set CHROMIUM_PATH');
  });

  it('is the one in CHROMIUM_PATH, given by its path or by its name on PATH', async () => {
    const PATH = [join(folder, 'not-there'), folder].join(delimiter);
    expect(await found({ CHROMIUM_PATH: join(folder, 'chromium') })).toBe(join(folder, 'chromium'));
    expect(await found({ PATH, CHROMIUM_PATH: 'chromium' })).toBe(join(folder, 'chromium'));
  });

  it.each(['stub', 'not-there'])('is none if CHROMIUM_PATH does not name a browser: %s', async (name) => {
    await expect(found({ CHROMIUM_PATH: join(folder, name) })).rejects.toThrow('is not a Chromium that runs here');
  });
});
