import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a file in a Node of its own, with these variables only, until it ends. */
export const runProgram = async (
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<{ code: number | null; out: string; err: string }>> => {
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
};
