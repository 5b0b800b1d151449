import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { customerId } from '../../src/contracts/fields.ts';
import { type CliServer, KEY, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser, ONE_CALL } from '../support/cliUser.ts';

let server: CliServer;
let cliUser: CliUser;

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
});
afterEach(async () => {
  await cliUser.leave();
  await server.close();
});

describe('profiles', () => {
  it('are several sign-ins, one of which is selected', async () => {
    const other = await startCliServer();
    await cliUser.login(server.url);
    const second = [
      '--profile',
      'work',
      '--server',
      other.url,
      '--key',
      KEY,
      '--username',
      'grace',
      '--email',
      'grace@example.com',
    ];
    await cliUser.run(['login', ...second]);
    expect((await cliUser.run(['whoami'])).out).toContain('ada');
    expect((await cliUser.run(['whoami', '--profile', 'work'])).out).toContain('grace');
    expect((await cliUser.run(['whoami'], { env: { LATCHKEY_PROFILE: 'work' } })).out).toContain('grace');
    expect((await cliUser.run(['--profile', 'work', 'whoami'])).out).toContain('grace');
    expect((await cliUser.run(['profiles', 'use', 'work'])).code).toBe(0);
    expect((await cliUser.run(['whoami'])).out).toContain('grace');
    expect((await cliUser.run(['profiles'])).out).toContain('* work     grace at Acme');
    expect((await cliUser.run(['profiles', 'list', '--quiet'])).out).toBe('default\nwork\n');
    expect((await cliUser.run(['profiles', 'list', '--json'])).json[0]).toMatchObject({
      profiles: [
        { name: 'default', current: false, server: server.url, signedIn: true, spooled: 0 },
        { name: 'work', current: true, server: other.url, username: 'grace' },
      ],
    });
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    expect(await cliUser.run(['profiles', 'remove', 'work'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 call of this profile'),
    });
    expect(await cliUser.run(['profiles', 'remove', 'work', '--force'])).toMatchObject({ code: 0 });
    expect(other.requests.at(-1)).toBe('/api/cli/logout');
    expect((await cliUser.run(['profiles', 'list', '--quiet'])).out).toBe('default\n');
    await other.close();
  });

  it("of one customer keep their spooled calls when the server's address changes", async () => {
    await cliUser.login(server.url);
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    const moved = await startCliServer();
    expect((await cliUser.login(moved.url)).out).toContain('1 call; send with: latchkey flush');
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 1, spooled: 0 }] });
    expect([moved.total(), server.total()]).toEqual([1, 0]);
    await moved.close();
  });

  it('never send the calls of one customer as another one', async () => {
    await cliUser.login(server.url);
    await cliUser.run(['record', '--no-send', ...ONE_CALL]);
    const other = await startCliServer();
    other.change({ customer: { id: customerId.parse('33333333-3333-4333-8333-333333333333'), name: 'Other', status: 'active' } });
    await cliUser.login(other.url);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 0, spooled: 0 }] });
    expect(other.total()).toBe(0);
    await cliUser.login(server.url);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 1, spooled: 0 }] });
    await other.close();
  });

  it('are rejected if they do not exist, and reported if their file is damaged', async () => {
    expect(await cliUser.run(['profiles', 'use', 'nobody'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no profile 'nobody'"),
    });
    expect(await cliUser.run(['status', '--profile', '../x'])).toMatchObject({ code: 2 });
    await cliUser.login(server.url);
    writeFileSync(join(cliUser.home, 'profiles/default.json'), '{"version":1');
    expect(await cliUser.run(['status'])).toMatchObject({ code: 1, err: expect.stringContaining('is not valid') });
    expect(await cliUser.run(['profiles'])).toMatchObject({ code: 0, out: '* default  cannot be read, signed out\n' });
    expect(await cliUser.login(server.url)).toMatchObject({ code: 0 });
  });
});
