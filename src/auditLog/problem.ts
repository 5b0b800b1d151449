/** What was done to a verified export. */
export type ProblemKind = 'changed' | 'removed' | 'added' | 'reordered' | 'duplicated' | 'forged' | 'truncated' | 'unreadable';

/** An entry as its line names it: what a reader finds it by. */
export type NamedEntry = Readonly<{ type: string; at: string; id: string }>;

/** A problem of a file. `line` counts from 1, and is null if the problem is of no single line. `entry` is that of the line, where it has one. */
export type Problem = Readonly<{ kind: ProblemKind; line: number | null; message: string; entry?: NamedEntry }>;
