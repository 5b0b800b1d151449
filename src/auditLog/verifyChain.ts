import type { NamedEntry, Problem, ProblemKind } from './problem.ts';

/** A line with an entry: its number, the hash of the line before as it says, its own hash, its place in the file, and its entry. */
type Link = Readonly<{ number: number; previous: string; hash: string; line: number; named: NamedEntry | null }>;

const problemOf = (kind: ProblemKind, { line, named }: Link, message: string): Problem => ({
  kind,
  line,
  message,
  ...(named && { entry: named }),
});

const missing = (from: number, to: number): Problem => {
  const message = from === to ? `Entry ${from} is missing` : `Entries ${from} to ${to} are missing`;
  return { kind: 'removed', line: null, message };
};

/** The numbers from 1 to `count` that no link has. */
const gaps = (links: readonly Link[], count: number): Problem[] => {
  const found: Problem[] = [];
  let next = 1;
  for (const { number } of links) {
    if (number > next) found.push(missing(next, number - 1));
    next = number + 1;
  }
  return next <= count ? [...found, missing(next, count)] : found;
};

/**
 * Finds lines that were changed, removed, added or moved: each line names the hash of the one before, and the signed end of the file names
 * that of the last. A line whose own bytes were changed does not accuse the line before it.
 */
export const createChain = () => {
  const links = new Map<number, Link>();
  const problems: Problem[] = [];
  let highest = 0;
  let headHash = '';

  /** The lines that are not those which the next one names, the last ones first. `hash` is that of line number `count`. */
  const changed = (intact: readonly Link[], count: number, hash: string | null): Problem[] => {
    const found: Problem[] = [];
    let following: Readonly<{ number: number; previous: string | null }> = { number: count + 1, previous: hash };
    for (const link of intact.toReversed()) {
      const expected = following.number === link.number + 1 ? following.previous : null;
      const isIntact = expected === null || link.hash === expected;
      if (!isIntact) found.push(problemOf('changed', link, `Entry ${link.number} was changed`));
      following = { number: link.number, previous: isIntact ? link.previous : null };
    }
    const isHeadChanged = following.number === 1 && following.previous !== null && following.previous !== headHash;
    return isHeadChanged ? [...found, { kind: 'changed', line: 1, message: 'The first line was changed' }] : found;
  };

  return {
    begin: (hash: string): void => {
      headHash = hash;
    },
    add: (link: Link): void => {
      const { number } = link;
      if (links.has(number)) {
        problems.push(problemOf('duplicated', link, `Entry ${number} is in the file twice`));
        return;
      }
      if (number < highest) problems.push(problemOf('reordered', link, `Entry ${number} comes after entry ${highest}`));
      links.set(number, link);
      highest = Math.max(highest, number);
    },
    /** What is wrong with the lines, given what the end of the file says; null if it has none. */
    problems: (end: Readonly<{ entries: number; hash: string }> | null): readonly Problem[] => {
      const count = end?.entries ?? highest;
      const sorted = [...links.values()].sort((one, other) => one.number - other.number);
      const exported = sorted.filter(({ number }) => number <= count);
      const added = sorted.filter(({ number }) => number > count);
      return [
        ...problems,
        ...gaps(exported, count),
        ...added.map((link) => problemOf('added', link, `Entry ${link.number} was added to the export`)),
        ...changed(exported, count, end?.hash ?? null),
      ];
    },
  };
};
