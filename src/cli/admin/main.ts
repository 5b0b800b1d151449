import { openThisProcess } from '../thisProcess.ts';
import { runAdmin } from './run.ts';

// What the stores' clients leave open must not hold up the end.
process.exit(await runAdmin(process.argv.slice(2), openThisProcess()));
