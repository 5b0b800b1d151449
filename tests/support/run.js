// node tests/support/run.js script.ts [argument...]: runs a TypeScript file from source, with nothing built before.
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

await runnerImport(resolve(process.argv[2] ?? ''), { configFile: false, logLevel: 'error' });
