import { openThisProcess } from '../cli/thisProcess.ts';
import { runAdmin } from './run.ts';

// Exits explicitly, because the clients of the stores may leave handles open.
process.exit(await runAdmin(process.argv.slice(2), openThisProcess()));
