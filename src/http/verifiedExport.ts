import { Readable } from 'node:stream';
import { hashOfLeaf, type LeafEvent, leafOf } from '../auditLog/leaf.ts';
import {
  EXPORT_FORMAT,
  type ExportEnd,
  type ExportHead,
  type ExportLine,
  hashOfLine,
  type Proven,
  signEnd,
} from '../auditLog/verifiedExport.ts';
import type { HistoryEntry } from '../contracts/history.ts';
import { forEachConcurrently } from '../flow/concurrency.ts';
import type { TreeReader } from '../projections/auditLog/tree.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';

/** How long an export waits until the audit log has its newest entry. */
const LOG_WAIT_MS = 10_000;
/** Entries whose events are read and proven together. */
const ENTRIES_A_PAGE = 100;
const CONCURRENT_READS = 8;

type Deps = Pick<HttpDeps, 'auditLog' | 'storedAt' | 'now'>;
type Options = Readonly<{
  /** Whose history it is, and which entries were chosen. */
  of: Readonly<Record<string, unknown>>;
  filter: Readonly<Record<string, unknown>>;
  /** Whether the stored data and metadata are added, which contain more than the entry. */
  withContent: boolean;
}>;

async function* pagesOf(first: IteratorResult<HistoryEntry>, rest: AsyncGenerator<HistoryEntry>): AsyncGenerator<HistoryEntry[]> {
  let page: HistoryEntry[] = first.done ? [] : [first.value];
  for await (const entry of rest) {
    if (page.length === ENTRIES_A_PAGE) {
      yield page;
      page = [];
    }
    page.push(entry);
  }
  if (page.length > 0) yield page;
}

const eventsOf = async (storedAt: Deps['storedAt'], page: readonly HistoryEntry[]): Promise<(LeafEvent | null)[]> => {
  const events: (LeafEvent | null)[] = page.map(() => null);
  await forEachConcurrently(page.entries(), CONCURRENT_READS, async ([index, { position, id }]) => {
    events[index] = await storedAt(BigInt(position), id);
  });
  return events;
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** The proofs of a page's entries; null for an event that the tree does not have. */
const provenOf = async (
  storedAt: Deps['storedAt'],
  tree: TreeReader,
  page: readonly HistoryEntry[],
  withContent: boolean,
): Promise<(Proven | null)[]> => {
  const events = await eventsOf(storedAt, page);
  const leaves = events.map((event) => event && leafOf(event));
  const hashes = leaves.map((leaf) => leaf && hashOfLeaf(leaf));
  const matches = await tree.find(
    page.map(({ position }, index) => ({ position: BigInt(position), leafHash: hashes[index] ?? null })),
  );
  const found = matches.flatMap((match) => (match ? [match.index] : []));
  const proofs = new Map((await tree.inclusion(found)).map((proof, nr) => [found[nr], proof]));
  return matches.map((match, nr) => {
    if (!match) return null;
    const event = events[nr];
    return {
      index: match.index,
      leaf: leaves[nr] ?? null,
      leafHash: (hashes[nr] ?? match.hash).toString('base64'),
      proof: (proofs.get(match.index) ?? []).map((hash) => hash.toString('base64')),
      ...(withContent && event && { data: textOf(event.data), metadata: textOf(event.metadata) }),
    };
  });
};

/**
 * Streams the entries of a history, newest first, with the proof that their events are in the audit log; see docs/audit-log.md. Signs a
 * checkpoint after the newest entry. Throws `unavailable` if the log does not reach that entry in time.
 */
export const verifiedExport = async (
  { auditLog, storedAt, now }: Deps,
  entries: AsyncGenerator<HistoryEntry>,
  { of, filter, withContent }: Options,
): Promise<Readable> => {
  const first = await entries.next();
  if (!first.done && !(await auditLog.waitUntil(BigInt(first.value.position), LOG_WAIT_MS))) {
    await entries.return(undefined);
    throw new HttpProblem('unavailable', { text: 'The audit log has not caught up with the history. Try again in a moment.' });
  }
  const { size, note } = await auditLog.sign();
  const [{ origin }, tree, keys] = await Promise.all([auditLog.status(), auditLog.tree(size), auditLog.verifierKeys()]);
  if (!tree) throw new Error('The audit log has become smaller');

  async function* lines(): AsyncGenerator<string> {
    const head: ExportHead = {
      format: EXPORT_FORMAT,
      of,
      filter,
      exportedAt: new Date(now()).toISOString(),
      checkpoint: note,
      keys,
    };
    let line = JSON.stringify(head);
    yield `${line}\n`;
    let number = 0;
    for await (const page of pagesOf(first, entries)) {
      const proofs = await provenOf(storedAt, tree as TreeReader, page, withContent);
      let chunk = '';
      for (const [nr, entry] of page.entries()) {
        number += 1;
        const content: ExportLine = { number, previous: hashOfLine(line), entry, proven: proofs[nr] ?? null };
        line = JSON.stringify(content);
        chunk += `${line}\n`;
      }
      yield chunk;
    }
    const end = { entries: number, previous: hashOfLine(line) };
    const signed: ExportEnd = { ...end, signature: signEnd(origin, end, [await auditLog.activeKey()]) };
    yield `${JSON.stringify(signed)}\n`;
  }
  return Readable.from(lines());
};
