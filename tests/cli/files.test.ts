import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPerson, ONE_CALL, type Person } from '../support/cliRun.ts';
import { type CliServer, KEY, startCliServer } from '../support/cliServer.ts';
import { mountSmallDisk } from '../support/smallDisk.ts';

let server: CliServer;
let person: Person;

beforeEach(async () => {
  server = await startCliServer();
  person = await newPerson();
});
afterEach(async () => {
  await person.leave();
  await server.close();
});

const profileFile = () => join(person.home, 'profiles/default.json');
const ONE = ['record', ...ONE_CALL];

describe('a profile that other users can read', () => {
  it('is restricted to its owner, with one warning', async () => {
    await person.login(server.url);
    for (const mode of [0o644, 0o660, 0o604]) {
      chmodSync(profileFile(), mode);
      const ran = await person.run(['whoami', '--json']);
      expect(ran.code).toBe(0);
      expect(ran.err).toContain(`Other users could read ${profileFile()} (mode 0${mode.toString(8)})`);
      expect(ran.json).toHaveLength(1);
      expect(statSync(profileFile()).mode & 0o777).toBe(0o600);
      expect((await person.run(['whoami'])).err).toBe('');
    }
  });
});

describe('a damaged configuration', () => {
  it('is reported with the file and a hint', async () => {
    await person.login(server.url);
    writeFileSync(join(person.home, 'config.json'), '{"version":1,"prof');
    const ran = await person.run(['status', '--json']);
    expect(ran).toMatchObject({ code: 1, json: [{ success: false, code: 'profile_unreadable' }] });
    expect(ran.err).toContain('latchkey profiles use NAME');
    expect(await person.run(['profiles', 'use', 'default'])).toMatchObject({ code: 0 });
    expect(await person.run(['status'])).toMatchObject({ code: 0 });
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
      const refused = await person.run([...login, '--json'], { env });
      expect(refused).toMatchObject({ code: 1, json: [{ success: false, code: 'disk_full' }] });
      disk.free();
      expect(await person.run(login, { env })).toMatchObject({ code: 0 });
      disk.fill();
      expect(await person.run([...login, '--profile', 'second'], { env })).toMatchObject({
        code: 1,
        err: expect.stringContaining('second.json cannot be used: the disk is full\n  Free some disk space, then try again.\n'),
      });
      expect(server.asked.at(-1)).toBe('/api/cli/logout');
      expect(await person.run(ONE, { env })).toMatchObject({
        code: 0,
        out: 'Recorded 1 call: 1 accepted\n',
        err: 'The queue could not be written: the disk is full. No call was lost.\n',
      });
      server.behave(() => 'break');
      const lost = await person.run([...ONE, '--json'], { env });
      expect(lost).toMatchObject({ code: 1, json: [{ recorded: 0, spooled: 0 }] });
      expect(lost.err).toContain('1 call could not be recorded: the disk is full');
      server.behave(null);
      disk.free();
      expect(await person.run([...ONE, '--json'], { env })).toMatchObject({ code: 0, json: [{ recorded: 1, accepted: 1 }] });
      expect(server.total()).toBe(2);
    } finally {
      disk.close();
    }
  });
});
