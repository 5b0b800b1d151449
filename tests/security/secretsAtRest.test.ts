import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOperator } from '../../src/admin/operator.ts';
import { rotateMasterSecret } from '../../src/admin/rotateMasterSecret.ts';
import { readConfig } from '../../src/bootstrap/config.ts';
import { tightenDataDir } from '../../src/bootstrap/dataDir.ts';
import { openProduct } from '../../src/bootstrap/product.ts';
import { loadMasterSecret, masterSecretFile, removeOldSecrets } from '../../src/bootstrap/secrets.ts';
import { startServer } from '../../src/bootstrap/server.ts';
import { integratorOwner } from '../../src/security/owner.ts';
import { openStores, type TestStores } from '../support/stores.ts';
import { itAtLength } from '../support/tiers.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'latchkey-at-rest-')), 'data');
  await mkdir(dataDir, { mode: 0o700 });
});

afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

describe('a data directory that other users can read', () => {
  it.each([0o755, 0o750, 0o701, 0o777])('gets restricted permissions and is reported: mode %o', async (mode) => {
    await chmod(dataDir, mode);
    expect(await tightenDataDir(dataDir)).toBe(
      `${dataDir} gives other users access (mode 0${mode.toString(8)}). Changed it to 0700.`,
    );
    expect(await modeOf(dataDir)).toBe(0o700);
    expect(await tightenDataDir(dataDir)).toBeNull();
  });

  it('is not changed if it is shared on purpose or missing', async () => {
    await chmod(dataDir, 0o1777);
    expect(await tightenDataDir(dataDir)).toMatch(
      /\(mode 01777\)\. Set DATA_DIR to a directory that this user owns, with mode 0700\.$/,
    );
    expect(await modeOf(dataDir)).toBe(0o1777);
    expect(await tightenDataDir(join(dataDir, 'missing'))).toBeNull();
  });
});

describe('a replaced master secret', () => {
  let stores: TestStores;
  const owner = integratorOwner('11111111-1111-4111-8111-111111111111' as never);
  const log = pino({ level: 'silent' });

  beforeEach(async () => {
    stores = await openStores();
  });

  afterEach(() => stores.close());

  const config = () =>
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: stores.databaseUrl,
      EVENTSTORE_URL: stores.eventStoreUrl,
      ROLES: 'api,projector',
      LOG_LEVEL: 'silent',
      ADMIN_KEY: 'the-admin-key-of-the-tests',
    });

  /** Seals something under the secret of the data directory, and gives that secret. */
  const used = async (): Promise<Buffer> => {
    const masterSecret = await loadMasterSecret({ dataDir, given: null, dataExists: async () => false });
    const product = await openProduct({ ...stores, masterSecret, log });
    await product.vault.keyFor(owner);
    await product.close();
    return masterSecret;
  };

  const secrets = async (): Promise<string[]> =>
    (await readdir(dataDir, { recursive: true })).filter((name) => /secret/.test(name));
  const started = async (): Promise<string[]> => {
    const lines: string[] = [];
    const server = await startServer(config(), { say: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
    await server.stop();
    return lines;
  };

  it('is not in the data directory after the rotation', async () => {
    const before = await used();
    await writeFile(`${masterSecretFile(dataDir)}.previous.0a1b2c`, 'of a rotation before\n', { mode: 0o600 });
    const operator = await openOperator(config());
    const rotation = await rotateMasterSecret(operator, { dataDir, given: null });
    expect(await rotation.settle()).toBe(masterSecretFile(dataDir));
    await operator.close();
    expect(await secrets()).toEqual(['master-secret']);
    expect(await readFile(masterSecretFile(dataDir), 'utf8')).not.toContain(before.toString('base64'));
    await started();
  });

  itAtLength('is removed at the next start if a former version left it', async () => {
    await used();
    await writeFile(`${masterSecretFile(dataDir)}.previous.0a1b2c`, 'of a rotation before\n', { mode: 0o600 });
    expect(await started()).toContain('Removed master secrets that were replaced by a rotation: master-secret.previous.0a1b2c');
    expect(await secrets()).toEqual(['master-secret']);
    expect(await removeOldSecrets(dataDir)).toEqual([]);
  });

  itAtLength('is kept until an interrupted rotation is completed', async () => {
    await used();
    const broken = await openOperator(config());
    await rotateMasterSecret(broken, { dataDir, given: null }); // and no more, as after a crash
    await broken.close();
    expect((await secrets()).sort()).toEqual(['master-secret', join('rotation', 'master-secret')]);
    await expect(started()).rejects.toThrow('A rotation of the master secret was interrupted');
    expect((await secrets()).sort()).toEqual(['master-secret', join('rotation', 'master-secret')]);

    const operator = await openOperator(config());
    const rotation = await rotateMasterSecret(operator, { dataDir, given: null });
    await rotation.settle();
    await operator.close();
    expect(await secrets()).toEqual(['master-secret']);
    const product = await openProduct({
      ...stores,
      masterSecret: await loadMasterSecret({ dataDir, given: null, dataExists: async () => true }),
      log,
    });
    expect((await product.vault.keyFor(owner)).key).toHaveLength(32);
    await product.close();
  });

  itAtLength('from the environment can be rotated again after a crash too', async () => {
    const before = await used();
    await rm(masterSecretFile(dataDir));
    const given = { ...config(), masterSecret: before };
    const next = Buffer.alloc(32, 5);
    const broken = await openOperator(given, { nextSecret: next });
    await rotateMasterSecret(broken, { dataDir, given: next });
    await broken.close();
    const operator = await openOperator(given, { nextSecret: next });
    expect((await rotateMasterSecret(operator, { dataDir, given: next })).rewrapped).toBe(0);
    await operator.close();
    expect(await secrets()).toEqual([]);
  });
});
