import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliServer, KEY, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser, ONE_CALL } from '../support/cliUser.ts';
import { mountSmallDisk } from '../support/smallDisk.ts';

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

const profileFile = () => join(cliUser.home, 'profiles/default.json');
const ONE = ['record', ...ONE_CALL];

describe('a profile that other users can read', () => {
  it('is restricted to its owner, with one warning', async () => {
    await cliUser.login(server.url);
    for (const mode of [0o644, 0o660, 0o604]) {
      chmodSync(profileFile(), mode);
      const ran = await cliUser.run(['whoami', '--json']);
      expect(ran.code).toBe(0);
      expect(ran.err).toContain(`Other users could read ${profileFile()} (mode 0${mode.toString(8)})`);
      expect(ran.json).toHaveLength(1);
      expect(statSync(profileFile()).mode & 0o777).toBe(0o600);
      expect((await cliUser.run(['whoami'])).err).toBe('');
    }
  });
});

describe('a damaged configuration', () => {
  it('is reported with the file and a hint', async () => {
    await cliUser.login(server.url);
    writeFileSync(join(cliUser.home, 'config.json'), '{"version":1,"prof');
    const ran = await cliUser.run(['status', '--json']);
    expect(ran).toMatchObject({ code: 1, json: [{ success: false, code: 'profile_unreadable' }] });
    expect(ran.err).toContain('latchkey profiles use NAME');
    expect(await cliUser.run(['profiles', 'use', 'default'])).toMatchObject({ code: 0 });
    expect(await cliUser.run(['status'])).toMatchObject({ code: 0 });
  });
});

describe('a path of another kind', () => {
  it('is reported with its reason', async () => {
    const file = join(cliUser.home, 'file');
    writeFileSync(file, '');
    const doctor = await cliUser.run(['doctor', '--server', server.url], { env: { LATCHKEY_HOME: file } });
    expect(doctor.out).toMatch(new RegExp(`✗ Files +${file} cannot be used: not a directory\n +Set LATCHKEY_HOME`));
    for (const argv of [
      ['verify', '--file', cliUser.home],
      ['import', cliUser.home],
    ]) {
      const { code, err } = await cliUser.run(['license', ...argv]);
      expect([code, err]).toEqual([1, `latchkey: ${cliUser.home} cannot be used: it is a directory\n`]);
    }
  });
});

describe('a full disk', () => {
  it('is reported by every command, and loses no call while the server responds', async ({ skip }) => {
    const disk = mountSmallDisk(256);
    if (disk === null) {
      console.info('Skipped: this user may not mount a small disk');
      return skip('this user may not mount a small disk');
    }
    try {
      const env = { LATCHKEY_HOME: disk.path };
      const login = ['login', '--server', server.url, '--key', KEY, '--username', 'ada', '--email', 'ada@example.com'];
      disk.fill();
      const refused = await cliUser.run([...login, '--json'], { env });
      expect(refused).toMatchObject({ code: 1, json: [{ success: false, code: 'disk_full' }] });
      disk.free();
      expect(await cliUser.run(login, { env })).toMatchObject({ code: 0 });
      disk.fill();
      expect(await cliUser.run([...login, '--profile', 'second'], { env })).toMatchObject({
        code: 1,
        err: expect.stringContaining('second.json cannot be used: the disk is full\n  Free some disk space, then try again.\n'),
      });
      expect(server.requests.at(-1)).toBe('/api/cli/logout');
      expect(await cliUser.run(ONE, { env })).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Recorded 1 call: 1 accepted\nSource: /),
        err: 'The queue could not be written: the disk is full. No call was lost.\n',
      });
      server.override(() => 'reset');
      const lost = await cliUser.run([...ONE, '--json'], { env });
      expect(lost).toMatchObject({ code: 1, json: [{ recorded: 0, spooled: 0 }] });
      expect(lost.err).toContain('1 call could not be recorded: the disk is full');
      server.override(null);
      disk.free();
      expect(await cliUser.run([...ONE, '--json'], { env })).toMatchObject({ code: 0, json: [{ recorded: 1, accepted: 1 }] });
      expect(server.total()).toBe(2);
    } finally {
      disk.close();
    }
  });
});
