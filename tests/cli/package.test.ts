import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliServer, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser } from '../support/cliUser.ts';
import { runProgram } from '../support/program.ts';
import { itAtLength } from '../support/tiers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let server: CliServer;
let cliUser: CliUser;

/** Runs a program that has this package installed. */
beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
  mkdirSync(join(cliUser.home, 'node_modules'));
  symlinkSync(root, join(cliUser.home, 'node_modules/latchkey'));
  writeFileSync(join(cliUser.home, 'package.json'), '{"type":"module"}');
});
afterEach(async () => {
  await cliUser.leave();
  await server.close();
});

const file = (name: string, content: string): string => {
  writeFileSync(join(cliUser.home, name), content);
  return join(cliUser.home, name);
};
const check = (content: string) =>
  spawnSync(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', file('program.ts', content)],
    { cwd: cliUser.home, encoding: 'utf8' },
  );

describe('the package', () => {
  it('exports the recorder, and the documented example runs', async () => {
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/cli.md'), 'utf8'))?.[1] ?? '';
    expect(example).toContain("from 'latchkey/recorder'");
    const ran = await runProgram(file('example.mjs', example), { LATCHKEY_HOME: cliUser.home });
    expect(ran).toEqual({ code: 0, out: '', err: '' });
    expect(server.total()).toBe(1);
  });

  itAtLength('includes types of the recorder without further dependencies', () => {
    const program = (service: string) => `
      import { type ApiCall, createRecorder } from 'latchkey/recorder';
      const call: ApiCall = { service: '${service}', instanceUrl: 'https://a.example', operation: 'GET:/x', ok: true, durationMs: 1 };
      export const taken: boolean = createRecorder().record(call);`;
    expect(check(program('jira'))).toMatchObject({ status: 0, stdout: '' });
    expect(check(program('somewhere')).stdout).toContain(`'"somewhere"' is not assignable`);
  });
});
