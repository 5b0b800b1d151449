import type { ImportCounts, ImportedLine, ImportMessage } from '../../contracts/imports.ts';
import type { EventMeta } from '../../domain/event.ts';
import { HttpProblem } from '../problems/problems.ts';
import { problemOf } from '../requests/errors.ts';
import { followUp } from '../requests/meta.ts';
import type { FileLine } from './csvFile.ts';
import type { Importer, PlannedLine } from './line.ts';

/** Lines processed concurrently: enough to share appends, few enough to keep capacity for other requests. */
const CONCURRENT = 64;

type Settled<T> = { value: T } | { error: unknown };

/** Runs work on items concurrently and yields the results in order. Work that has started is awaited even if the consumer stops. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  concurrent: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Settled<Result>>[] = [];
  const begin = (item: Item): Promise<Settled<Result>> =>
    work(item).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const next = async (): Promise<Result> => {
    const settled = await begun.shift();
    if (!settled || 'error' in settled) throw settled?.error;
    return settled.value;
  };
  try {
    for (const item of items) {
      begun.push(begin(item));
      if (begun.length >= concurrent) yield await next();
    }
    while (begun.length > 0) yield await next();
  } finally {
    await Promise.all(begun);
  }
}

/** The lines that have what a line before them has, with the reason. */
const duplicates = (lines: readonly FileLine[], { keysOf }: Importer): ReadonlyMap<FileLine, HttpProblem> => {
  const first = new Map<string, number>();
  const found = new Map<FileLine, HttpProblem>();
  for (const line of lines) {
    for (const [column, value] of keysOf(line)) {
      const key = `${column} ${value}`;
      const other = first.get(key);
      if (other === undefined) first.set(key, line.line);
      else
        found.set(
          line,
          new HttpProblem('validation_failed', { issues: [{ path: column, message: `Line ${other} has the same` }] }),
        );
    }
  }
  return found;
};

const refused = (problem: HttpProblem, { columnOf }: Importer): Pick<ImportedLine, 'effect' | 'changes' | 'problems'> => {
  const issues = problem.issues ?? [];
  const problems = issues.map(({ path, message }) => ({ column: columnOf(path), message }));
  return { effect: 'refused', changes: [], problems: issues.length > 0 ? problems : [{ column: null, message: problem.message }] };
};

/** What the client did wrong in a line. Throws what is no fault of the line, such as an outage: the import stops there. */
const problemOfLine = (error: unknown): HttpProblem => {
  const problem = problemOf(error);
  if (!problem || problem.status >= 500) throw error;
  return problem;
};

/**
 * Imports lines, or only plans them, and yields a message for each in the order of the file. `finish` gets the counts of what was done,
 * also if nobody reads on or a line could not be decided.
 */
export async function* importing(
  importer: Importer,
  lines: readonly FileLine[],
  {
    meta,
    now,
    isDryRun,
    isEnded,
    finish,
  }: {
    meta: EventMeta;
    /** ms since 1970 */
    now: () => number;
    isDryRun: boolean;
    /** Whether the caller may no longer import. No further line is begun then, and the counts are not yielded. */
    isEnded: () => boolean;
    finish: (counts: ImportCounts, isComplete: boolean) => Promise<void>;
  },
): AsyncGenerator<ImportMessage> {
  const counts = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  const duplicateProblems = duplicates(lines, importer);

  const planned = async (line: FileLine): Promise<PlannedLine> => {
    const problem = duplicateProblems.get(line);
    if (problem) throw problem;
    // An enrolment is abandoned some time after its time, so each line has its own.
    const at = new Date(now()).toISOString();
    const plan = await importer.plan(line, { ...followUp(meta, `line ${line.line}`), at });
    if (!isDryRun) await plan.run();
    return plan;
  };
  const work = async (line: FileLine): Promise<ImportedLine> => {
    const result = await planned(line).then(
      ({ effect, changes }) => ({ effect, changes, problems: [] }),
      (error: unknown) => refused(problemOfLine(error), importer),
    );
    counts[result.effect] += 1;
    return { kind: 'line', line: line.line, name: importer.nameOf(line), ...result };
  };

  let isComplete = false;
  try {
    yield { kind: 'start', lines: lines.length };
    for await (const message of inOrder(lines, importer.isCumulative ? 1 : CONCURRENT, work)) {
      yield message;
      if (isEnded()) return;
    }
    isComplete = true;
  } finally {
    await finish(counts, isComplete);
  }
  yield { kind: 'end', counts };
}
