import { openThisProcess } from '../cli/thisProcess.ts';

const io = openThisProcess();
// Loaded late: Ctrl-C is heard from the beginning, and what works on the stores takes its time to load.
const { runAdmin } = await import('./run.ts');
// What the stores' clients leave open must not hold up the end.
process.exit(await runAdmin(process.argv.slice(2), io));
