import { openCheckpoint } from './checkpoint.ts';
import { fieldsOf, isCount, isText, isTexts } from './jsonLine.ts';
import type { NamedEntry, Problem, ProblemKind } from './problem.ts';
import type { VerifierKey } from './signedNote.ts';
import { EXPORT_FORMAT, type ExportEnd, hashOfLine, isSignedEnd } from './verifiedExport.ts';
import { createChain } from './verifyChain.ts';
import { checkEntry, type PlacedEntry } from './verifyEntry.ts';

/** What a file says about itself, as far as it was verified. */
export type ExportReport = Readonly<{
  problems: readonly Problem[];
  entries: number;
  /** Entries whose event was deleted: of them only the place in the tree is proven. */
  deleted: number;
  /** Null if the checkpoint of the file is invalid. */
  checkpoint: Readonly<{ origin: string; size: number; root: string; at: string; signedBy: readonly VerifierKey[] }> | null;
  /** Of what the entries are, and which were chosen. */
  of: unknown;
  filter: unknown;
  /** The public keys in the file. */
  keys: readonly VerifierKey[];
}>;

type Head = Readonly<{ checkpoint: string; keys: readonly string[]; of: unknown; filter: unknown }>;

const headOf = (line: string): Head | null => {
  const fields = fieldsOf(line);
  if (fields?.format !== EXPORT_FORMAT || !isText(fields.checkpoint) || !isTexts(fields.keys)) return null;
  return { checkpoint: fields.checkpoint, keys: fields.keys, of: fields.of, filter: fields.filter };
};

const endOf = (line: string): ExportEnd | null => {
  const { entries, previous, signature } = fieldsOf(line) ?? {};
  return isCount(entries) && isText(previous) && isText(signature) ? { entries, previous, signature } : null;
};

const NOT_AN_EXPORT = 'The file is not a verified export of a history. Export it with "Verified export".';

/**
 * Verifies a file, given as its lines without line breaks. `keys` are the public keys to trust; null trusts those in the file, which
 * proves that the file fits together, and not who made it.
 */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  { keys }: { keys: readonly VerifierKey[] | null },
): Promise<ExportReport> => {
  const problems: Problem[] = [];
  const add = (kind: ProblemKind, line: number | null, message: string, entry: NamedEntry | null = null): void =>
    void problems.push({ kind, line, message, ...(entry && { entry }) });
  const chain = createChain();
  let head: Head | null = null;
  let checkpoint: ReturnType<typeof openCheckpoint> = null;
  let end: ExportEnd | null = null;
  let [count, entries, deleted] = [0, 0, 0];
  let last: PlacedEntry | null = null;

  for await (const text of lines) {
    count += 1;
    if (count === 1) {
      head = headOf(text);
      if (!head) return { problems: [{ kind: 'unreadable', line: 1, message: NOT_AN_EXPORT }], ...nothing };
      checkpoint = openCheckpoint(head.checkpoint, keys ?? head.keys);
      if (!checkpoint) add('forged', 1, 'No trusted key signed the checkpoint of the file');
      chain.begin(hashOfLine(text));
      continue;
    }
    if (end) {
      add('added', count, 'There is text after the end of the export');
      break;
    }
    end = endOf(text);
    if (end) continue;
    entries += 1;
    const checked = checkEntry(text, checkpoint);
    for (const { kind, message } of checked.problems) add(kind, count, message, checked.named);
    if (checked.link) chain.add({ ...checked.link, hash: hashOfLine(text), line: count, named: checked.named });
    if (checked.placed && last && checked.placed.index >= last.index) {
      const isSame = checked.placed.index === last.index;
      add(
        isSame ? 'duplicated' : 'reordered',
        count,
        isSame ? 'The same event is in two lines' : 'The entry is newer than the one before',
        checked.named,
      );
    }
    last = checked.placed ?? last;
    if (checked.isDeleted) deleted += 1;
  }
  if (!head) return { problems: [{ kind: 'unreadable', line: null, message: 'The file is empty' }], ...nothing };
  if (!end) add('truncated', null, 'The end of the export is missing: the file is incomplete');
  else if (checkpoint && !isSignedEnd(checkpoint.origin, end, keys ?? head.keys)) {
    add('forged', count, 'No trusted key signed the end of the export');
  }
  problems.push(...chain.problems(end && { entries: end.entries, hash: end.previous }));
  problems.sort((one, other) => (one.line ?? Number.POSITIVE_INFINITY) - (other.line ?? Number.POSITIVE_INFINITY));
  return {
    problems,
    entries,
    deleted,
    checkpoint: checkpoint && { ...checkpoint, root: checkpoint.root.toString('base64') },
    of: head.of,
    filter: head.filter,
    keys: head.keys,
  };
};

const nothing = { entries: 0, deleted: 0, checkpoint: null, of: null, filter: null, keys: [] } as const;
