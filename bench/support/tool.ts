import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * `command`: the `latchkey` command, with `calls` lines on its input. `program`: a program that records `calls` calls with a recorder.
 * `checking`: only the parsing and validation of `calls` lines.
 */
export type ToolTask = { home: string } & (
  | { kind: 'command'; argv: readonly string[]; calls?: number }
  | { kind: 'program' | 'checking'; calls: number }
);

export type ToolRun = {
  code: number;
  /** The standard output. */
  out: string;
  ms: number;
  cpuMs: number;
  /** The peak resident memory that the system reports. */
  peakBytes: number;
};

/** Runs a task in a child process. */
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
