import type { Database } from '../database/database.ts';
import type { Sealing } from './sealing.ts';

/** A key pair of the audit log; see `src/auditLog/signedNote.ts`. */
type KeyPair = Readonly<{ verifierKey: string; privateKey: string }>;

/** The keys that sign the audit log. Private keys are sealed by a data key of the log. */
export type AuditKeys = Readonly<{
  /** The key that signs, made at its first use. */
  active: () => Promise<KeyPair>;
  /** All public keys, the active one first, then the one that was retired last. */
  verifierKeys: () => Promise<string[]>;
  /** Replaces the key. Resolves to the new and the former key, so that both can sign the next checkpoint. */
  rotate: () => Promise<readonly [active: KeyPair, former: KeyPair]>;
}>;

const TYPE = 'AuditLog';

/** Keys in `audit.signing_key`. `newKey` generates a key for the id of the log. `now` is in ms since 1970. */
export const createAuditKeys = ({
  db,
  sealing,
  newKey,
  now,
}: {
  db: Database;
  sealing: Sealing;
  newKey: (logId: string) => KeyPair;
  now: () => number;
}): AuditKeys => {
  const generate = async (): Promise<KeyPair & { sealed: string }> => {
    const { log_id } = await db.selectFrom('audit.log').select('log_id').executeTakeFirstOrThrow();
    const key = newKey(log_id);
    const context = { owner: `auditLog:${log_id}`, eventType: TYPE, field: key.verifierKey } as const;
    return { ...key, sealed: await sealing.seal(key.privateKey, context) };
  };

  const load = async (from: Database): Promise<KeyPair | null> => {
    const row = await from
      .selectFrom('audit.signing_key as k')
      .innerJoin('audit.log as l', (join) => join.onTrue())
      .select(['k.verifier_key', 'k.sealed', 'l.log_id'])
      .where('k.retired_at', 'is', null)
      .executeTakeFirst();
    if (!row) return null;
    const { verifier_key: verifierKey, sealed, log_id } = row;
    const context = { owner: `auditLog:${log_id}`, eventType: TYPE, field: verifierKey } as const;
    return { verifierKey, privateKey: await sealing.open(sealed, context) };
  };

  const active = async (): Promise<KeyPair> => {
    const found = await load(db);
    if (found) return found;
    const { verifierKey, sealed } = await generate();
    await db
      .insertInto('audit.signing_key')
      .values({ verifier_key: verifierKey, sealed, created_at: new Date(now()), retired_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const made = await load(db);
    if (!made) throw new Error('The audit log has no key');
    return made;
  };

  return {
    active,
    verifierKeys: async () => {
      const rows = await db
        .selectFrom('audit.signing_key')
        .select('verifier_key')
        .orderBy('retired_at', (order) => order.desc().nullsFirst())
        .execute();
      return rows.map(({ verifier_key }) => verifier_key);
    },
    rotate: async () => {
      const former = await active();
      const { sealed, ...next } = await generate();
      const at = new Date(now());
      await db.transaction().execute(async (transaction) => {
        const retired = await transaction
          .updateTable('audit.signing_key')
          .set({ retired_at: at })
          .where('verifier_key', '=', former.verifierKey)
          .where('retired_at', 'is', null)
          .executeTakeFirst();
        if (retired.numUpdatedRows === 0n) throw new Error('The key of the audit log is being replaced by another command');
        await transaction
          .insertInto('audit.signing_key')
          .values({ verifier_key: next.verifierKey, sealed, created_at: at, retired_at: null })
          .execute();
      });
      return [next, former];
    },
  };
};
