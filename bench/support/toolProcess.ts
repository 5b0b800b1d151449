import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { checkLine as CheckLine } from '../../src/cli/recording/call.ts';
import type { createRecorder as CreateRecorder } from '../../src/cli/recording/recorder.ts';
import type { run as Run } from '../../src/cli/run.ts';
import { recordedCalls } from './calls.ts';
import { ROOT } from './root.ts';
import type { ToolRun, ToolTask } from './tool.ts';

const GROUP = 1_000;

/** Imports a module of the built product. */
const built = (path: string) => import(join(ROOT, 'dist/cli', path));
const { run }: { run: typeof Run } = await built('run.js');
const { checkLine }: { checkLine: typeof CheckLine } = await built('recording/call.js');
const { createRecorder }: { createRecorder: typeof CreateRecorder } = await built('recording/recorder.js');

type Ended = { code: number; out: string };

function* groupsOf(calls: number): Generator<string> {
  for (let made = 0; made < calls; made += GROUP) yield recordedCalls(Math.min(GROUP, calls - made), made / GROUP);
}

const asCommand = async ({ home, argv, calls = 0 }: ToolTask & { kind: 'command' }): Promise<Ended> => {
  const stdout = new PassThrough();
  const output: string[] = [];
  stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const env = { LATCHKEY_HOME: home, HOME: home, PATH: process.env.PATH };
  const code = await run(argv, { stdin: Readable.from(groupsOf(calls)), stdout, stderr: process.stderr, env, cwd: home });
  return { code, out: output.join('').trim() };
};

/** Waits for the recorder between groups, as a program does that waits for its own API calls. */
const asProgram = async ({ home, calls }: ToolTask & { kind: 'program' | 'checking' }): Promise<Ended> => {
  const recorder = createRecorder({ env: { LATCHKEY_HOME: home }, cwd: home });
  for (const group of groupsOf(calls)) {
    for (const line of group.trimEnd().split('\n')) recorder.record(JSON.parse(line));
    while (recorder.counts().waiting > 10 * GROUP) await turn();
  }
  const counts = await recorder.close();
  return { code: counts.recorded === calls ? 0 : 1, out: JSON.stringify(counts) };
};

const check = ({ calls }: ToolTask & { kind: 'program' | 'checking' }): Ended => {
  let valid = 0;
  for (const group of groupsOf(calls)) {
    for (const text of group.trimEnd().split('\n')) if (checkLine({ number: 1, text, reason: null }, Date.now())?.ok) valid++;
  }
  return { code: valid === calls ? 0 : 1, out: '' };
};

const perform = (task: ToolTask): Ended | Promise<Ended> => {
  if (task.kind === 'command') return asCommand(task);
  return task.kind === 'program' ? asProgram(task) : check(task);
};

const [task] = (await once(process, 'message')) as [ToolTask];
const begun = performance.now();
const cpu = process.cpuUsage();
const { code, out } = await perform(task);
const { user, system } = process.cpuUsage(cpu);
const result: ToolRun = {
  code,
  out,
  ms: performance.now() - begun,
  cpuMs: (user + system) / 1000,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
process.send?.(result);
