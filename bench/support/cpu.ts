import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in /proc in ticks, a hundred a second. */
const TICKS = 100;

/** CPU seconds of a process, and of its terminated children. */
type Usage = { parent: number; seconds: number; ofChildren: number };

/** The fields of a stat file after the name, which can contain spaces and parentheses. */
const usageIn = (path: string): Usage | null => {
  try {
    const text = readFileSync(path, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const of = (user: number, system: number): number => (Number(fields[user]) + Number(fields[system])) / TICKS;
    return { parent: Number(fields[1]), seconds: of(11, 12), ofChildren: of(13, 14) };
  } catch {
    return null; // the process has ended, or the system is not Linux
  }
};

const numbersIn = (path: string): number[] => {
  try {
    return readdirSync(path).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** CPU seconds of a server's main thread, its other threads, and its PostgreSQL. Zeros without /proc. */
export type ServerCpu = { main: number; threads: number; postgres: number };

export const cpuOf = (pid: number): ServerCpu => {
  const main = usageIn(`/proc/${pid}/task/${pid}/stat`)?.seconds ?? 0;
  const all = usageIn(`/proc/${pid}/stat`)?.seconds ?? 0;
  const processes = new Map(numbersIn('/proc').map((id) => [id, usageIn(`/proc/${id}/stat`)]));
  const descends = (id: number): boolean => {
    const parent = processes.get(id)?.parent ?? 0;
    return parent === pid || (parent > 1 && descends(parent));
  };
  let postgres = 0;
  for (const [id, usage] of processes) if (usage && id !== pid && descends(id)) postgres += usage.seconds + usage.ofChildren;
  return { main, threads: all - main, postgres };
};

export const cpuBetween = (before: ServerCpu, after: ServerCpu): ServerCpu => ({
  main: after.main - before.main,
  threads: after.threads - before.threads,
  postgres: after.postgres - before.postgres,
});

/** Resident memory of a process in bytes; 0 without /proc. */
export const residentBytes = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
};
