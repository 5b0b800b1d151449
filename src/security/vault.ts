import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { decrypt, encrypt, Unopenable } from './envelope.ts';
import { erasuresOf } from './erasures.ts';
import { createKeyCache } from './keyCache.ts';
import type { MasterSecret } from './masterSecret.ts';
import type { Owner } from './owner.ts';

export type DataKey = Readonly<{ keyId: string; owner: string; key: Buffer }>;

/** A destroyed data key: the texts that it sealed are unreadable, and nothing can be sealed for its owner. */
export type DestroyedKey = Readonly<{ keyId: string; owner: string; key: null }>;

/** The owner was erased, so nothing can be sealed for it. */
export class DataKeyDestroyed extends Error {
  override readonly name = 'DataKeyDestroyed';
  readonly owner: Owner;

  constructor(owner: Owner) {
    super(`The data key of ${owner} has been destroyed`);
    this.owner = owner;
  }
}

/** The keys are temporarily unavailable. */
export class VaultUnavailable extends Error {
  override readonly name: string = 'VaultUnavailable';
}

/** The keys are wrapped by another master secret. */
export class VaultMismatch extends VaultUnavailable {
  override readonly name = 'VaultMismatch';
}

/** The data keys of all owners, in `vault.data_key`. */
export type Vault = Readonly<{
  /** The owner's key, created at its first use. Throws `DataKeyDestroyed` for an erased owner. A cached one comes without a promise. */
  keyFor: (owner: Owner) => DataKey | Promise<DataKey>;
  /** The key that an envelope names. Throws `Unopenable` when there is none. A cached one comes without a promise. */
  keyById: (keyId: string) => DataKey | DestroyedKey | Promise<DataKey | DestroyedKey>;
  /** Whether the owner was erased; false for one that never had a key. Without a promise when it is cached. */
  isErased: (owner: Owner) => boolean | Promise<boolean>;
  /** Erases the owner permanently; can be repeated. The caches of other nodes expire within `cacheMs`. */
  destroy: (owner: Owner) => Promise<void>;
  /** Erases all owners from the first to the last one in the order of their names, both included; can be repeated. */
  destroyAll: (first: Owner, last: Owner) => Promise<void>;
  /** Throws `VaultMismatch` when a key is wrapped by a master secret that is not among ours; for the start. */
  check: () => Promise<void>;
  /**
   * Wraps every key with the new secret and returns their number; may be repeated after a crash. The product must be stopped, and starts
   * with the new secret, whose pepper also requires the lookups of keys to be rebuilt.
   */
  rewrap: (to: MasterSecret) => Promise<number>;
}>;

type Row = { key_id: string; owner: string; wrapped: Buffer | null; master_id: string | null };

const COLUMNS = ['key_id', 'owner', 'wrapped', 'master_id'] as const;
const REWRAP_BATCH = 500;

const contextOf = ({ key_id, owner }: Pick<Row, 'key_id' | 'owner'>): string => `${key_id}\n${owner}`;

const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof VaultUnavailable ? error : new VaultUnavailable('The vault is unreachable', { cause: error });
  }
};

/**
 * Data keys of all owners, wrapped by the master secret in schema `vault`. `masterSecret` wraps new ones;
 * `previousSecrets` may still unwrap old ones while a rotation is under way.
 */
export const createVault = ({
  db,
  masterSecret,
  previousSecrets = [],
  cacheMs = 30_000,
  cacheSize = 50_000,
}: {
  db: Database;
  masterSecret: MasterSecret;
  previousSecrets?: readonly MasterSecret[];
  cacheMs?: number;
  cacheSize?: number;
}): Vault => {
  const secrets = new Map([masterSecret, ...previousSecrets].map((secret) => [secret.id, secret]));

  const unwrap = (row: Row): DataKey | DestroyedKey => {
    const { key_id: keyId, owner, wrapped, master_id } = row;
    if (!wrapped || !master_id) return { keyId, owner, key: null };
    const secret = secrets.get(master_id);
    if (!secret) throw new VaultMismatch(`Data keys are wrapped by master secret ${master_id}, this one is ${masterSecret.id}`);
    try {
      return { keyId, owner, key: decrypt(secret.wrappingKey, wrapped, contextOf(row)) };
    } catch (error) {
      throw new VaultMismatch(`Data key ${keyId} of ${owner} does not unwrap`, { cause: error });
    }
  };

  const keysById = async (keyIds: readonly string[]): Promise<Map<string, DataKey | DestroyedKey>> => {
    const rows = await db
      .selectFrom('vault.data_key')
      .select(COLUMNS)
      .where('key_id', '=', sql<string>`any(${keyIds}::uuid[])`)
      .execute();
    return new Map(rows.map((row) => [row.key_id, unwrap(row)]));
  };

  const findKeysFor = (owners: readonly string[]): Promise<Row[]> =>
    db.selectFrom('vault.data_key').select(COLUMNS).where('owner', 'in', owners).execute();

  /** By one statement with sorted owners: otherwise two nodes that insert the same owners could deadlock. */
  const findOrMakeKeysFor = async (owners: readonly string[]): Promise<Row[]> => {
    const made = [...owners].sort().map((owner) => {
      const key_id = randomUUID();
      return { key_id, owner, wrapped: encrypt(masterSecret.wrappingKey, randomBytes(32), contextOf({ key_id, owner })) };
    });
    const { rows } = await sql<Row>`
      with found as (
        select key_id, owner, wrapped, master_id from vault.data_key where owner = any(${owners}::text[])
      ), made as (
        insert into vault.data_key (key_id, owner, wrapped, master_id)
        select key_id, owner, wrapped, ${masterSecret.id}
        from unnest(${made.map(({ key_id }) => key_id)}::uuid[], ${made.map(({ owner }) => owner)}::text[],
          ${made.map(({ wrapped }) => wrapped)}::bytea[]) as made (key_id, owner, wrapped)
        where owner not in (select owner from found) order by owner
        on conflict (owner) do nothing
        returning key_id, owner, wrapped, master_id
      )
      select * from found union all select * from made`.execute(db);
    return rows;
  };

  const keysByOwner = async (owners: readonly string[]): Promise<Map<string, DataKey | DestroyedKey>> => {
    const rows = await findOrMakeKeysFor(owners);
    const found = new Set(rows.map(({ owner }) => owner));
    const made = owners.filter((owner) => !found.has(owner)); // by another node, at the same time
    if (made.length > 0) rows.push(...(await findKeysFor(made)));
    const keys = rows.map((row): [Row, DataKey | DestroyedKey] => [row, unwrap(row)]);
    for (const [row, key] of keys) byId.put(row.key_id, key);
    return new Map(keys.map(([row, key]) => [row.owner, key]));
  };

  const byId = createKeyCache({ load: (keyIds) => orUnavailable(keysById(keyIds)), cacheMs, cacheSize });
  const byOwner = createKeyCache({ load: (owners) => orUnavailable(keysByOwner(owners)), cacheMs, cacheSize });

  const erasures = createKeyCache({ load: (owners) => orUnavailable(erasuresOf(db, owners)), cacheMs, cacheSize });

  const usable = (owner: Owner, key: DataKey | DestroyedKey | undefined): DataKey => {
    if (!key) throw new VaultUnavailable(`The data key of ${owner} could not be made`);
    if (key.key === null) throw new DataKeyDestroyed(owner);
    return key;
  };

  const known = (keyId: string, key: DataKey | DestroyedKey | undefined): DataKey | DestroyedKey => {
    if (!key) throw new Unopenable(`Data key ${keyId} is not in the vault`);
    return key;
  };

  const rewrapBatch = (to: MasterSecret): Promise<number> =>
    db.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom('vault.data_key')
        .select(COLUMNS)
        .where('wrapped', 'is not', null)
        .where('master_id', '!=', to.id)
        .limit(REWRAP_BATCH)
        .forUpdate()
        .execute();
      for (const row of rows) {
        const { key } = unwrap(row);
        if (!key) continue;
        await transaction
          .updateTable('vault.data_key')
          .set({ wrapped: encrypt(to.wrappingKey, key, contextOf(row)), master_id: to.id })
          .where('key_id', '=', row.key_id)
          .execute();
      }
      return rows.length;
    });

  return {
    keyFor: (owner) => {
      const found = byOwner.get(owner);
      return found instanceof Promise ? found.then((key) => usable(owner, key)) : usable(owner, found);
    },
    keyById: (keyId) => {
      const found = byId.get(keyId);
      return found instanceof Promise ? found.then((key) => known(keyId, key)) : known(keyId, found);
    },
    isErased: (owner) => {
      const found = erasures.get(owner);
      return found instanceof Promise ? found.then((erasure) => erasure?.isErased ?? false) : (found?.isErased ?? false);
    },
    destroy: async (owner) => {
      const destroyed_at = new Date();
      await db
        .insertInto('vault.data_key')
        .values({ key_id: randomUUID(), owner, wrapped: null, master_id: null, destroyed_at })
        .onConflict((conflict) =>
          conflict
            .column('owner')
            .doUpdateSet({ wrapped: null, master_id: null, destroyed_at })
            .where('vault.data_key.wrapped', 'is not', null),
        )
        .execute();
      byOwner.forget((key) => key.owner === owner);
      byId.forget((key) => key.owner === owner);
      erasures.forget((erasure) => erasure.owner === owner);
    },
    destroyAll: async (first, last) => {
      await db
        .updateTable('vault.data_key')
        .set({ wrapped: null, master_id: null, destroyed_at: new Date() })
        .where(sql`owner collate "C"`, '>=', first)
        .where(sql`owner collate "C"`, '<=', last)
        .where('wrapped', 'is not', null)
        .execute();
      const isErased = ({ owner }: { owner: string }): boolean => owner >= first && owner <= last;
      byOwner.forget(isErased);
      byId.forget(isErased);
      erasures.forget(isErased);
    },
    check: async () => {
      // One step of the index for each master secret: health checks ask often, and there are as many keys as users.
      const { rows } = await sql<{ id: string }>`
        with recursive used (id) as (
          select min(master_id) from vault.data_key where wrapped is not null
          union all
          select (select min(k.master_id) from vault.data_key k where k.wrapped is not null and k.master_id > used.id)
          from used where used.id is not null
        )
        select id from used where id is not null`.execute(db);
      const mismatch = rows.find(({ id }) => !secrets.has(id));
      if (mismatch) {
        throw new VaultMismatch(
          `MASTER_SECRET is not the one that wrapped the data keys of this database (theirs is ${mismatch.id}, this is ${masterSecret.id})`,
        );
      }
    },
    rewrap: async (to) => {
      secrets.set(to.id, to);
      let count = 0;
      for (let batch = await rewrapBatch(to); batch > 0; batch = await rewrapBatch(to)) count += batch;
      return count;
    },
  };
};
