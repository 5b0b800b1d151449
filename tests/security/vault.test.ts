import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { ERASED } from '../../src/domain/event.ts';
import { decrypt, encrypt, Unopenable } from '../../src/security/envelope.ts';
import { masterSecretOf } from '../../src/security/masterSecret.ts';
import { customerOwner, integratorOwner, userOwner } from '../../src/security/owner.ts';
import { createSealing } from '../../src/security/sealing.ts';
import { createVault, DataKeyDestroyed, VaultMismatch } from '../../src/security/vault.ts';
import { customerIdOf, integratorIdOf, userIdOf } from '../support/builders/ids.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

const masterSecret = masterSecretOf(Buffer.alloc(32, 1));
let database: TestDatabase;
let db: Database;
/** A node with a cache of its own. */
const node = (cacheMs = 60_000) => createVault({ db, masterSecret, cacheMs });
const placeOf = (customer: string) => ({
  owner: customerOwner(customerIdOf(customer)),
  eventType: 'CustomerRegistered',
  field: 'name',
});

beforeAll(async () => {
  database = await openDatabase();
  ({ db } = connectDatabase(database.databaseUrl, { onError: () => undefined }));
  await migrate(db);
});

afterAll(async () => {
  await db.destroy();
  await database.close();
});

describe('a sealed text', () => {
  it('can be opened on every node, and is never stored as plaintext', async () => {
    const envelope = await createSealing(node()).seal('Acme Inc.', placeOf('sealed'));
    expect(envelope).toMatch(/^v1\.[0-9a-f-]{36}\.[\w-]+$/);
    expect(Buffer.from(envelope.split('.')[2] ?? '', 'base64url').includes('Acme')).toBe(false);
    expect(await createSealing(node()).open(envelope, placeOf('sealed'))).toBe('Acme Inc.');
  });

  it('is returned synchronously once the key is cached, as another envelope each time', async () => {
    const sealing = createSealing(node());
    const first = await sealing.seal('', placeOf('cached'));
    const second = sealing.seal('', placeOf('cached'));
    expect(second).toBeTypeOf('string');
    expect(second).not.toBe(first);
    expect(await sealing.open(first, placeOf('cached'))).toBe('');
  });

  it.each(['open', 'reopen'] as const)('cannot be opened as another field, nor with a changed bit: %s', async (open) => {
    const sealing = createSealing(node());
    const place = placeOf('moved');
    const envelope = await sealing.seal('secret', place);
    expect(await sealing[open](envelope, place)).toBe('secret');
    expect(await sealing[open](envelope, place)).toBe('secret');
    expect(() => sealing[open](envelope, { ...place, field: 'company' })).toThrow(Unopenable);
    expect(() => sealing[open](envelope, { ...place, eventType: 'CustomerDetailsChanged' })).toThrow(Unopenable);
    expect(() => sealing[open](envelope, { ...place, owner: integratorOwner(integratorIdOf()) })).toThrow(Unopenable);
    const changed = `${envelope.slice(0, -2)}${envelope.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(() => sealing[open](changed, place)).toThrow(Unopenable);
    for (const not of ['', 'plain text', 'v2.a.b', 'v1.not-a-uuid.AAAA', `v1.${envelope.split('.')[1]}.AAAA`]) {
      expect(() => sealing[open](not, place)).toThrow(Unopenable);
    }
  });
});

it('encrypts each of many texts under a nonce of its own', () => {
  const key = randomBytes(32);
  const boxes = Array.from({ length: 1_000 }, () => encrypt(key, Buffer.from('Acme'), 'a context'));
  expect(new Set(boxes.map((box) => box.subarray(0, 12).toString('hex'))).size).toBe(1_000);
  expect(boxes.map((box) => decrypt(key, box, 'a context').toString())).toEqual(boxes.map(() => 'Acme'));
});

describe('a data key', () => {
  it('is created once, even by concurrent nodes', async () => {
    const owner = customerOwner(customerIdOf('contended'));
    const keys = await Promise.all(Array.from({ length: 8 }, () => node().keyFor(owner)));
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1);
    expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(1);
  });

  it('is loaded together with all keys requested in the same tick', async () => {
    const owners = Array.from({ length: 50 }, (_, i) => customerOwner(customerIdOf(`batch-${i}`)));
    const vault = node();
    const keys = await Promise.all(owners.map((owner) => vault.keyFor(owner)));
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(50);
    const other = node();
    expect(await Promise.all(keys.map(({ keyId }) => other.keyById(keyId)))).toEqual(keys);
  });

  it('is stored wrapped only', async () => {
    const { key, keyId } = await node().keyFor(customerOwner(customerIdOf('wrapped')));
    const { wrapped } = await db
      .selectFrom('vault.data_key')
      .select('wrapped')
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    expect(wrapped?.includes(key)).toBe(false);
  });

  it('that never existed is an error, not an erasure', async () => {
    await expect(node().keyById('00000000-0000-4000-8000-000000000000')).rejects.toThrow(Unopenable);
  });
});

describe('erasing an owner', () => {
  it('makes sealed texts unreadable, here immediately and on other nodes when their cache expires', async () => {
    const [here, elsewhere] = [node(), node(0)];
    const place = placeOf('erased');
    const envelope = await createSealing(here).seal('gone', place);
    const sealings = [here, elsewhere].map(createSealing);
    for (const sealing of sealings) {
      expect(await sealing.open(envelope, place)).toBe('gone');
      expect(await sealing.reopen(envelope, place)).toBe('gone');
    }
    await here.destroy(place.owner);
    await here.destroy(place.owner);
    for (const sealing of sealings) {
      expect(await sealing.open(envelope, place)).toBe(ERASED);
      expect(await sealing.reopen(envelope, place)).toBe(ERASED);
    }
  });

  it('erases what the key of a former owner sealed, and nothing else of that owner', async () => {
    const vault = node();
    const [former, owner] = [placeOf('house'), userOwner(userIdOf('resident'))];
    const place = { ...former, owner, formerOwner: former.owner };
    const { seal, open } = createSealing(vault);
    const [before, after] = [await seal('Ada', former), await seal('Ada L.', place)];
    expect([await open(before, place), await open(after, place)]).toEqual(['Ada', 'Ada L.']);
    // Neither opens as what the other key may seal.
    await expect((async () => open(after, former))()).rejects.toThrow(Unopenable);
    await vault.destroy(owner);
    for (const one of [vault, node()]) {
      const sealing = createSealing(one);
      expect([await sealing.open(before, place), await sealing.open(after, place)]).toEqual([ERASED, ERASED]);
      expect(await sealing.open(before, former)).toBe('Ada');
    }
  });

  it('prevents further sealing, even for an owner without a key', async () => {
    const vault = node();
    await vault.destroy(customerOwner(customerIdOf('never')));
    await expect(createSealing(vault).seal('text', placeOf('never'))).rejects.toThrow(DataKeyDestroyed);
  });

  it('leaves no key material behind', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from vault.data_key where destroyed_at is not null and wrapped is not null`.execute(db);
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe('rotating the master secret', () => {
  it('wraps every key again, and sealed texts can still be opened', async () => {
    const vault = node();
    const place = placeOf('rotated');
    const envelope = await createSealing(vault).seal('kept', place);
    const next = masterSecretOf(randomBytes(32));
    expect(await vault.rewrap(next)).toBeGreaterThan(0);
    expect(await vault.rewrap(next)).toBe(0);
    const after = createVault({ db, masterSecret: next });
    await after.check();
    expect(await createSealing(after).open(envelope, place)).toBe('kept');
    await expect(node().check()).rejects.toThrow(VaultMismatch);
    await expect(createSealing(node()).open(envelope, place)).rejects.toThrow(VaultMismatch);
    const both = createVault({ db, masterSecret, previousSecrets: [next] });
    await both.check();
    expect(await createSealing(both).open(envelope, place)).toBe('kept');
    await both.rewrap(masterSecret);
  });
});
