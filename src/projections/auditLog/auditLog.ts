import { setTimeout as sleep } from 'node:timers/promises';
import { originOf, signCheckpoint } from '../../auditLog/checkpoint.ts';
import type { SigningKey, VerifierKey } from '../../auditLog/signedNote.ts';
import type { Database } from '../../database/database.ts';
import type { Position } from '../../eventstore/port.ts';
import { openTree, type TreeReader } from './tree.ts';

/** How often a waiting export looks whether the log has reached a position. */
const LOOK_EVERY_MS = 50;

/** A signed checkpoint; `note` is its text. */
export type SignedCheckpoint = Readonly<{ size: number; note: string; signedAt: Date }>;

/** How the log is doing. `error` says why it does not grow; `heartbeatAt` is when the node that writes it last said so. */
export type LogStatus = Readonly<{
  origin: string;
  size: number;
  position: Position | null;
  error: string | null;
  heartbeatAt: Date | null;
}>;

/** Keys that sign, as `createAuditKeys` keeps them. */
export type SigningKeys = Readonly<{
  active: () => Promise<SigningKey>;
  verifierKeys: () => Promise<VerifierKey[]>;
  rotate: () => Promise<readonly SigningKey[]>;
}>;

/** The audit log for readers: checkpoints and proofs. */
export type AuditLog = Readonly<{
  status: () => Promise<LogStatus>;
  /** The newest checkpoint; null before the first. */
  latest: () => Promise<SignedCheckpoint | null>;
  /** The checkpoint of that size; null if none was signed. */
  ofSize: (size: number) => Promise<SignedCheckpoint | null>;
  /** Signs a checkpoint of the tree as it is, unless there is one of its size. */
  sign: () => Promise<SignedCheckpoint>;
  /** Replaces the key, and signs a checkpoint with the new and the former one. */
  rotateKey: () => Promise<SignedCheckpoint>;
  activeKey: SigningKeys['active'];
  verifierKeys: SigningKeys['verifierKeys'];
  /** The tree of the first `size` leaves; null if it has fewer. */
  tree: (size: number) => Promise<TreeReader | null>;
  /** Resolves to false if the log has not reached the position in time. */
  waitUntil: (position: Position, timeoutMs: number) => Promise<boolean>;
}>;

/** Reads and signs the audit log. `now` is in ms since 1970. */
export const createAuditLog = ({ db, keys, now }: { db: Database; keys: SigningKeys; now: () => number }): AuditLog => {
  const status = async (): Promise<LogStatus> => {
    const row = await db
      .selectFrom('audit.log')
      .select(['log_id', 'size', 'error', 'heartbeat_at'])
      .select(({ cast, ref }) => cast<string | null>(ref('position'), 'text').as('position'))
      .executeTakeFirstOrThrow();
    return {
      origin: originOf(row.log_id),
      size: Number(row.size),
      position: row.position === null ? null : BigInt(row.position),
      error: row.error,
      heartbeatAt: row.heartbeat_at,
    };
  };

  const checkpoints = db.selectFrom('audit.checkpoint').select(['size', 'note', 'signed_at as signedAt']);
  const ofSize = async (size: number): Promise<SignedCheckpoint | null> =>
    (await checkpoints.where('size', '=', size).executeTakeFirst()) ?? null;

  /** With these keys. A checkpoint of the same size stays, unless it is to be replaced. */
  const signWith = async (
    { origin, size }: LogStatus,
    signing: readonly SigningKey[],
    { replaces }: { replaces: boolean },
  ): Promise<SignedCheckpoint> => {
    const signedAt = new Date(now());
    const root = await openTree(db, size).root();
    const note = signCheckpoint({ origin, size, root, at: signedAt.toISOString() }, signing);
    // Its commit waits for the disk, and so for the leaves before it: a published tree is never lost in a crash.
    await db
      .insertInto('audit.checkpoint')
      .values({ size, note, signed_at: signedAt })
      .onConflict((conflict) => {
        const same = conflict.column('size');
        return replaces ? same.doUpdateSet({ note, signed_at: signedAt }) : same.doNothing();
      })
      .execute();
    return (await ofSize(size)) ?? { size, note, signedAt };
  };

  return {
    status,
    ofSize,
    latest: async () => (await checkpoints.orderBy('size', 'desc').limit(1).executeTakeFirst()) ?? null,
    sign: async () => {
      const present = await status();
      return (await ofSize(present.size)) ?? signWith(present, [await keys.active()], { replaces: false });
    },
    rotateKey: async () => {
      const both = await keys.rotate();
      return signWith(await status(), both, { replaces: true });
    },
    activeKey: keys.active,
    verifierKeys: keys.verifierKeys,
    tree: async (size) => (size <= (await status()).size ? openTree(db, size) : null),
    waitUntil: async (position, timeoutMs) => {
      for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
        const { position: reached } = await status();
        if (reached !== null && reached >= position) return true;
        if (waitedMs >= timeoutMs) return false;
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
};
