import type { LogCheckpoint } from './checkpoint.ts';
import { decodeHash, decodeHashes } from './hashing.ts';
import { fieldsOf, isCount, isFields, isText, isTexts } from './jsonLine.ts';
import { digestOf, hashOfLeaf, LEAF_FORMAT } from './leaf.ts';
import type { NamedEntry, Problem } from './problem.ts';
import { isIncluded } from './proofs.ts';

/** The place of an entry's event in the tree. */
export type PlacedEntry = Readonly<{ index: number }>;

/** The result of one line: its entry, its link in the chain of lines, its place, and what is wrong with it. */
export type CheckedEntry = Readonly<{
  problems: readonly Pick<Problem, 'kind' | 'message'>[];
  named: NamedEntry | null;
  link: Readonly<{ number: number; previous: string }> | null;
  placed: PlacedEntry | null;
  isDeleted: boolean;
}>;

/** Places in a leaf. */
const [TYPE, ID, DATA, METADATA] = [3, 4, 6, 7];

const unreadable = (message: string): CheckedEntry => ({
  problems: [{ kind: 'unreadable', message }],
  named: null,
  link: null,
  placed: null,
  isDeleted: false,
});

const [A_TYPE, A_TIME, AN_ID] = [/^\w{1,100}$/, /^[\dTZ:.-]{1,30}$/, /^[\da-f-]{36}$/];

/** The entry as it names itself; null unless it can be printed: a file may contain anything. */
const namedIn = ({ type, at, id }: Readonly<Record<string, unknown>>): NamedEntry | null =>
  isText(type) && isText(at) && isText(id) && A_TYPE.test(type) && A_TIME.test(at) && AN_ID.test(id) ? { type, at, id } : null;

/** The metadata of an event, as far as the entry repeats them. */
const repeated = (metadata: string): Readonly<{ at: unknown; kind: unknown; id: unknown }> => {
  const { at, actor } = fieldsOf(metadata) ?? {};
  return { at, ...(isFields(actor) ? { kind: actor.kind, id: actor.id } : { kind: undefined, id: undefined }) };
};

/** What the entry says differently from its event. */
const differences = (
  entry: Readonly<Record<string, unknown>>,
  leaf: readonly string[],
  { data, metadata }: Readonly<Record<string, unknown>>,
): string[] => {
  const found: string[] = [];
  if (entry.id !== leaf[ID] || entry.type !== leaf[TYPE]) found.push('The entry is not that of its event');
  if (isText(data) && digestOf(Buffer.from(data)) !== leaf[DATA]) found.push('The data are not those of the event');
  if (isText(metadata)) {
    if (digestOf(Buffer.from(metadata)) !== leaf[METADATA]) return [...found, 'The metadata are not those of the event'];
    const { at, kind, id } = repeated(metadata);
    const actor = isFields(entry.actor) ? entry.actor : {};
    if (!isText(at) || Date.parse(String(entry.at)) !== Date.parse(at))
      found.push('The time of the entry is not that of its event');
    if (actor.kind !== kind || actor.id !== id) found.push('The actor of the entry is not that of its event');
  }
  return found;
};

/** Verifies the line of an entry: the event's leaf, its place in the tree of the checkpoint, and what the entry repeats of the event. */
export const checkEntry = (text: string, checkpoint: LogCheckpoint | null): CheckedEntry => {
  const { number, previous, entry, proven } = fieldsOf(text) ?? {};
  if (!isCount(number) || number < 1 || !isText(previous) || !isFields(entry)) {
    return unreadable('The line is not an entry of a verified export');
  }
  const named = namedIn(entry);
  const link = { number, previous };
  const changed = (message: string) => ({ kind: 'changed', message }) as const;
  if (!isFields(proven)) return { problems: [changed('The entry has no proof')], named, link, placed: null, isDeleted: false };
  const { index, leaf, leafHash } = proven;
  const given = isText(leafHash) ? decodeHash(leafHash) : null;
  const siblings = isTexts(proven.proof) ? decodeHashes(proven.proof) : null;
  if (!isCount(index) || !given || !siblings || !(leaf === null || (isTexts(leaf) && leaf[0] === LEAF_FORMAT))) {
    return { problems: [changed('The proof of the entry is unreadable')], named, link, placed: null, isDeleted: false };
  }
  const hash = leaf === null ? given : hashOfLeaf(leaf);
  const problems = (leaf === null ? [] : differences(entry, leaf, proven)).map(changed);
  if (checkpoint && !isIncluded(hash, siblings, { index, ...checkpoint })) {
    problems.push(changed(`The event is not number ${index} of the audit log`));
  }
  return { problems, named, link, placed: { index }, isDeleted: leaf === null };
};
