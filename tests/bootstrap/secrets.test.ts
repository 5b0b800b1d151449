import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMasterSecret, masterSecretFile } from '../../src/bootstrap/secrets.ts';

let above: string;
let dataDir: string;

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'latchkey-secrets-test-'));
  dataDir = join(above, 'data');
});

afterEach(() => rm(above, { recursive: true, force: true }));

const load = ({ given = null, dataExists = false }: { given?: Buffer | null; dataExists?: boolean } = {}) =>
  loadMasterSecret({ dataDir, given, dataExists: async () => dataExists });

describe('the master secret', () => {
  it('is generated once, and only its owner can read it', async () => {
    const secret = await load();
    expect(secret).toHaveLength(32);
    expect((await stat(masterSecretFile(dataDir))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await load({ dataExists: true })).toEqual(secret);
    expect(await readdir(dataDir)).toEqual(['master-secret']);
  });

  it('is the same for concurrent starts', async () => {
    const secrets = await Promise.all([load(), load(), load(), load()]);
    expect(new Set(secrets.map((secret) => secret.toString('hex')))).toHaveProperty('size', 1);
  });

  it('is the given one, which is not written to disk', async () => {
    const given = Buffer.alloc(32, 7);
    expect(await load({ given, dataExists: true })).toBe(given);
    await expect(stat(masterSecretFile(dataDir))).rejects.toThrow('ENOENT');
  });

  it('is not replaced when it is lost', async () => {
    await expect(load({ dataExists: true })).rejects.toThrow(/master-secret is missing.*MASTER_SECRET/);
    await expect(stat(masterSecretFile(dataDir))).rejects.toThrow('ENOENT');
  });

  it('is not replaced when it is damaged', async () => {
    await load();
    await writeFile(masterSecretFile(dataDir), '');
    await expect(load()).rejects.toThrow('is damaged');
    expect(await readFile(masterSecretFile(dataDir), 'utf8')).toBe('');
  });

  it('is refused when others can read it', async () => {
    await load();
    await chmod(masterSecretFile(dataDir), 0o640);
    await expect(load()).rejects.toThrow('can be read by other users');
  });

  it('is refused when two of them disagree', async () => {
    await load();
    await expect(load({ given: Buffer.alloc(32, 7) })).rejects.toThrow('MASTER_SECRET differs from the secret in');
  });
});
