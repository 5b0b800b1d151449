import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = new URL('../../dist/admin/main.js', import.meta.url).href;

/** Runs `latchkey-admin` in a process of its own. Resolves to what it printed, and whether it loaded the client of the event store. */
const run = async (...argv: string[]): Promise<{ output: string; hasClient: boolean }> => {
  const script = `
    import { createRequire } from 'node:module';
    const { cache } = createRequire(import.meta.url);
    process.argv = [process.argv[0], 'latchkey-admin', ...${JSON.stringify(argv)}];
    process.on('exit', () => {
      process.exitCode = 0;
      process.stdout.write('\\n' + Object.keys(cache).some((file) => file.includes('grpc-js')));
    });
    await import(${JSON.stringify(main)});`;
  const env = { ...process.env, DATA_DIR: '/no/such/directory' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  const end = stdout.lastIndexOf('\n');
  return { output: stdout.slice(0, end), hasClient: stdout.slice(end + 1) === 'true' };
};

it('is shown without the clients of the stores, which commands load', async () => {
  const help = await run('--help');
  expect(help.output).toContain('Usage: latchkey-admin');
  expect(help.hasClient).toBe(false);
  expect((await run('verify', '--help')).hasClient).toBe(false);
  expect((await run('verify')).hasClient).toBe(true);
});

it.each(['backup', 'copy-events'])('of %s separates a refusal and a missing store from a failure', async (command) => {
  const { output } = await run(command, '--help');
  const meaningOf = (code: number) => output.split('\n').find((line) => line.startsWith(`  ${code}  `));
  expect(meaningOf(1)).toMatch(/remove the incomplete backup|run again to continue/);
  expect(meaningOf(2)).toContain('no store found');
  expect(meaningOf(4)).not.toMatch(/remove|run again/);
});
