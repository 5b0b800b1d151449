import { openThisProcess } from '../cli/thisProcess.ts';

const io = openThisProcess();
// Loaded lazily, so that Ctrl-C works while the clients of the stores load.
const { runAdmin } = await import('./run.ts');
// Exits explicitly, because the clients of the stores may leave handles open.
process.exit(await runAdmin(process.argv.slice(2), io));
