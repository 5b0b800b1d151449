import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const runner = fileURLToPath(new URL('run.js', import.meta.url));
/** Node.js finds the packages that a compiled script imports from here. */
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

const compile = async (file: URL): Promise<URL> => {
  const outDir = mkdtempSync(join(packages, '.test-script-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  const name = `${basename(file.pathname, '.ts')}.mjs`;
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: fileURLToPath(file), outDir, minify: false, rollupOptions: { output: { entryFileNames: name } } },
  });
  return pathToFileURL(join(outDir, name));
};

const compiled = new Map<string, Promise<URL>>();

/** Compiles a TypeScript file, with what it imports, to a module that starts in a third of the time; once a worker. */
export const compiledScript = (file: URL): Promise<URL> => {
  const script = compiled.get(file.href) ?? compile(file);
  compiled.set(file.href, script);
  return script;
};

export type Script = {
  pid: number;
  /** The next line it writes that the pattern matches; rejects, with all it wrote, when it ends before. */
  line: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends the signal and waits for its end. */
  end: (signal: NodeJS.Signals) => Promise<void>;
};

/**
 * Runs a TypeScript file, or a module of `compiledScript`, as a process (and process group) of its own, so that a test can kill it. Its
 * arguments begin at `process.argv[3]`. Standard output and error are read as one.
 */
export const startScript = (file: URL, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Script => {
  const path = fileURLToPath(file);
  const child = spawn(process.execPath, [path.endsWith('.ts') ? runner : path, path, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const written: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let ended = false;
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
    ended = true;
    wake();
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      written.push(line);
      wake();
    });
  }
  let read = 0;
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        while (read < written.length) {
          const found = pattern.exec(written[read++] ?? '');
          if (!found) continue;
          waiting.delete(look);
          return resolve(found);
        }
        if (ended) reject(new Error(`${fileURLToPath(file)} ended without ${pattern}:\n${written.join('\n')}`));
      };
      waiting.add(look);
      look();
    });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return { pid: child.pid ?? 0, line, end };
};
