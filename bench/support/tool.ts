import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * The `latchkey` command with its arguments, given `calls` lines on its input; a program that records so many with a recorder; or
 * what both do with a line first: parsing and checking it.
 */
export type ToolTask = { home: string } & (
  | { kind: 'command'; argv: readonly string[]; calls?: number }
  | { kind: 'program' | 'checking'; calls: number }
);

export type ToolRun = {
  code: number;
  /** What it printed. */
  out: string;
  ms: number;
  cpuMs: number;
  /** The most memory that it had at a time, by the system. */
  peakBytes: number;
};

/** Runs the command-line tool, or a program that records, in a process of its own. */
export const runTool = async (task: ToolTask): Promise<ToolRun> => {
  const child = fork(new URL('./toolProcess.js', import.meta.url));
  try {
    child.send(task);
    const [run] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The tool ended with ${code}`))),
    ])) as [ToolRun];
    return run;
  } finally {
    child.kill();
  }
};
