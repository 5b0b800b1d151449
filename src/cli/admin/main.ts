import { CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../exit.ts';
import { systemClock } from '../io.ts';
import { buildAdminProgram } from './program.ts';

const interrupted = new AbortController();
process.on('SIGINT', () => interrupted.abort());
process.on('SIGTERM', () => interrupted.abort());

const { stdin, stdout, stderr, env } = process;
let code: ExitCode = EXIT.done;
const program = buildAdminProgram(
  { stdin, stdout, stderr, env, cwd: process.cwd(), now: systemClock, interrupted: interrupted.signal },
  (ended) => {
    code = ended;
  },
).exitOverride();
for (const command of program.commands) command.exitOverride();

try {
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  code = error.exitCode === 0 ? EXIT.done : EXIT.usage;
}
process.exit(code);
