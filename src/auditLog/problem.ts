/** What was done to a verified export. */
export type ProblemKind = 'changed' | 'removed' | 'added' | 'reordered' | 'duplicated' | 'forged' | 'truncated' | 'unreadable';

/** A problem of a file. `line` counts from 1, and is null if the problem is of no single line. */
export type Problem = Readonly<{ kind: ProblemKind; line: number | null; message: string }>;
