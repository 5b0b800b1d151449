import { verifyLog } from '../projections/auditLog/verifyLog.ts';
import type { Print } from './commands.ts';
import type { Operator } from './operator.ts';

/** Wrong events that are listed; further ones are counted. */
const LISTED_EVENTS = 20;

/** Compares the audit log with the event store. Resolves to false if anything differs. */
export const verifyAuditLog = async ({ product }: Operator, print: Print, signal: AbortSignal): Promise<boolean> => {
  const found = await verifyLog({
    ...product,
    signal,
    onProgress: (events) => print.progress(events, 'events compared with the audit log'),
  });
  const { size, events, deleted, checkpoints, wrongEvents, wrongTiles, wrongCheckpoints } = found;
  const isEqual = wrongEvents.length + wrongTiles.length + wrongCheckpoints.length === 0;
  for (const { kind, type, stream, revision } of wrongEvents.slice(0, LISTED_EVENTS)) {
    print.step(`auditLog: ${type} at revision ${revision} of ${stream} was ${kind}`);
  }
  print.result(
    { auditLog: found },
    isEqual
      ? `auditLog: no differences in ${events} events, ${deleted} deleted ones and ${checkpoints} checkpoints`
      : `auditLog: of ${size} leaves and ${checkpoints} checkpoints, ${wrongEvents.length} events, ${wrongTiles.length} tiles and ${wrongCheckpoints.length} checkpoints differ; docs/operations.md says what to do`,
  );
  return isEqual;
};

/** Signs a checkpoint of the audit log as it is, and prints it. */
export const signCheckpoint = async ({ product: { auditLog } }: Operator, print: Print): Promise<boolean> => {
  const { size, note } = await auditLog.sign();
  print.result({ size, checkpoint: note }, note.trimEnd());
  return true;
};

/** Replaces the key of the audit log, and prints the new one with the checkpoint that both keys signed. */
export const rotateAuditKey = async ({ product: { auditLog } }: Operator, print: Print): Promise<boolean> => {
  const { note } = await auditLog.rotateKey();
  const [key, former] = await auditLog.verifierKeys();
  print.step('The checkpoint below is signed by the new and by the former key. Publish both.');
  print.result({ key, former, checkpoint: note }, `${key}\n\n${note.trimEnd()}`);
  return true;
};
