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

describe('the browser of the tests', () => {
  it('is started by its whole path, though PATH finds it by its name', async () => {
    const PATH = [join(folder, 'not-there'), folder].join(delimiter);
    expect(await found({ PATH })).toBe(join(folder, 'chromium'));
    expect(await found({ PATH, CHROMIUM_PATH: 'chromium' })).toBe(join(folder, 'chromium'));
  });

  it('is the one that CHROMIUM_PATH names, or none', async () => {
    expect(await found({ CHROMIUM_PATH: join(folder, 'chromium') })).toBe(join(folder, 'chromium'));
    await expect(found({ CHROMIUM_PATH: join(folder, 'stub') })).rejects.toThrow('no Chromium that runs here');
    await expect(found({ CHROMIUM_PATH: join(folder, 'not-there') })).rejects.toThrow('no Chromium that runs here');
  });
});
