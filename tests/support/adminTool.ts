import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildAdminProgram } from '../../src/admin/program.ts';
import type { ExitCode } from '../../src/cli/exit.ts';

export type Ran = { code: ExitCode | null; out: string; err: string };

/** Runs `latchkey-admin` in this process. */
export const runAdminTool = async (argv: readonly string[], env: Record<string, string>): Promise<Ran> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  let code: ExitCode | null = null;
  const io = {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    now: () => Date.now(),
    interrupted: new AbortController().signal,
  };
  await buildAdminProgram(io, (ended) => {
    code = ended;
  }).parseAsync([...argv], { from: 'user' });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, out, err };
};
