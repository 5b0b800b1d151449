import { run } from './run.ts';
import { openThisProcess } from './thisProcess.ts';

process.exitCode = await run(process.argv.slice(2), openThisProcess());
