import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEDICATED_USER, isRoot } from '../../src/embedded/postgres/account.ts';
import { LOGINS, type Login } from '../../src/embedded/postgres/passwords.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/server.ts';
import { describeAtLength } from '../support/tiers.ts';

const isLinux = process.platform === 'linux';

let folder: string;
let directory: string;
let postgres: EmbeddedPostgres | null = null;

const start = async (): Promise<EmbeddedPostgres> => {
  postgres = await startPostgres({ directory, databases: ['kept'], groups: { latchkey_system: 'nologin' }, log: () => undefined });
  return postgres;
};

const stop = async (): Promise<void> => {
  await postgres?.stop();
  postgres = null;
};

/** The rows of a statement, on a connection of its own. */
const query = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

/** Connects as the superuser through the directory, in a process of the given user, and prints the result. */
const connectAs = async (user: { uid: number; gid: number }, through: string): Promise<string> => {
  const program = `
    const net = require('node:net');
    const socket = net.connect('${through}/.s.PGSQL.5432');
    socket.on('error', (error) => console.log(error.code));
    socket.on('connect', () => {
      const body = Buffer.from('user\\0latchkey\\0database\\0postgres\\0\\0');
      const head = Buffer.alloc(8);
      head.writeInt32BE(body.length + 8, 0);
      head.writeInt32BE(196608, 4);
      socket.write(Buffer.concat([head, body]));
    });
    socket.on('data', (data) => {
      console.log(String.fromCharCode(data[0]) + data.readInt32BE(5));
      socket.destroy();
    });`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd: '/',
    ...(isRoot() ? user : {}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed.trim();
};

/** AuthenticationSASL of the protocol: the server asks for a password. A trusted session would be sent R0. */
const ASKS_FOR_PASSWORD = 'R10';

const prepare = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-reach-'));
  directory = join(folder, 'postgres');
};

const remove = async (): Promise<void> => {
  await stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
};

describe('one embedded PostgreSQL', () => {
  let running: EmbeddedPostgres;
  beforeAll(async () => {
    await prepare();
    running = await start();
  });
  afterAll(remove);

  describe('reached by another process of the machine', () => {
    it.runIf(isLinux)('needs a password, even as the same user through the working directory of the server', async () => {
      const { pid } = running;
      const { uid, gid } = await stat(join(directory, 'cluster'));
      expect(await connectAs({ uid, gid }, `/proc/${pid}/cwd`)).toBe(ASKS_FOR_PASSWORD);
    });

    it.runIf(isLinux && isRoot())('cannot access the socket or the files as nobody', async () => {
      const { pid } = running;
      const passwd = await readFile('/etc/passwd', 'utf8');
      const idOf = (name: string): number =>
        Number(
          passwd
            .split('\n')
            .find((line) => line.startsWith(`${name}:`))
            ?.split(':')[2],
        );
      const { uid } = await stat(join(directory, 'cluster'));
      expect(uid).toBe(idOf(DEDICATED_USER));
      expect(await connectAs({ uid: idOf('nobody'), gid: 65534 }, `/proc/${pid}/cwd`)).toBe('EACCES');
    });

    it('finds no password that the account of PostgreSQL can read', async () => {
      const { uid, mode } = await stat(join(directory, 'passwords.json'));
      expect([uid, mode & 0o777]).toEqual([process.geteuid?.(), 0o600]);
      const passwords = JSON.parse(await readFile(join(directory, 'passwords.json'), 'utf8'));
      const started = await readFile(`/proc/${running.pid}/cmdline`, 'utf8');
      for (const password of Object.values<string>(passwords)) expect(started).not.toContain(password);
    });

    it.each(Object.keys(LOGINS) as Login[])('is refused as %s with a password that it guesses', async (login) => {
      const url = new URL(running.url('kept', login));
      url.password = 'guessed';
      await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    });
  });

  describe('the logins', () => {
    it('let no one but the superuser run programs or read files', async () => {
      const { url } = running;
      for (const login of ['owner', 'application', 'reader'] as const) {
        await expect(query(url('kept', login), `copy (select 1) to program 'true'`)).rejects.toThrow('permission denied');
        await expect(query(url('kept', login), `select pg_read_file('/etc/passwd')`)).rejects.toThrow('permission denied');
      }
    });

    it('do not let the application change a schema or take a role that it was not granted', async () => {
      const { url } = running;
      await query(url('kept', 'owner'), 'create schema secret; create table secret.data as select 7 as n');
      const application = url('kept', 'application');
      await expect(query(application, 'create schema mine')).rejects.toThrow('permission denied');
      await expect(query(application, 'create table public.mine ()')).rejects.toThrow('permission denied');
      await expect(query(application, 'select * from secret.data')).rejects.toThrow('permission denied');
      await expect(query(application, 'set role latchkey_owner')).rejects.toThrow('permission denied');
      await query(application, 'set role latchkey_system');
      await expect(query(url('kept', 'reader'), 'set role latchkey_system')).rejects.toThrow('permission denied');
    });
  });
});

describeAtLength('a cluster of a former version, which trusted every connection to its socket', () => {
  beforeEach(prepare);
  afterEach(remove);

  /** Puts a cluster into the state in which the version before left one. */
  const makeTrusting = async (): Promise<void> => {
    const { url } = await start();
    await query(url('postgres', 'superuser'), 'create database kept_before');
    const before = url('kept_before', 'superuser');
    await query(before, 'create schema read; create table read.data (id int generated always as identity, n int)');
    await query(before, 'insert into read.data (n) values (7); create extension pg_trgm; alter role latchkey password null');
    await stop();
    await writeFile(join(directory, 'cluster', 'pg_hba.conf'), 'local all all trust\n');
    await writeFile(join(directory, 'cluster', 'latchkey.password'), 'of the version before');
    await rm(join(directory, 'passwords.json'));
    if (isRoot()) {
      const { exitCode } = await endOf(spawn('chown', ['-R', 'nobody', join(directory, 'cluster')]));
      expect(exitCode).toBe(0);
    }
  };

  const endOf = async (child: ReturnType<typeof spawn>): Promise<ReturnType<typeof spawn>> => {
    await once(child, 'exit');
    return child;
  };

  it('keeps its data, gets passwords and an owner that is not a superuser', async () => {
    await makeTrusting();
    postgres = await startPostgres({ directory, databases: ['kept_before'], log: () => undefined });
    const { url } = postgres;
    await query(url('kept_before', 'owner'), 'alter table read.data add column more int');
    expect(await query(url('kept_before', 'owner'), 'select n from read.data')).toEqual([{ n: 7 }]);
    const trusting = new URL(url('postgres', 'superuser'));
    trusting.password = '';
    await expect(query(trusting.href, 'select 1')).rejects.toThrow();
    await expect(stat(join(directory, 'cluster', 'latchkey.password'))).rejects.toThrow('ENOENT');
    if (isRoot()) {
      const passwd = await readFile('/etc/passwd', 'utf8');
      const { uid } = await stat(join(directory, 'cluster', 'PG_VERSION'));
      expect(passwd).toContain(`${DEDICATED_USER}:x:${uid}:`);
    }
  });

  it('gets passwords again if only the cluster was restored', async () => {
    const { url } = await start();
    await query(url('kept', 'owner'), 'create table kept as select 7 as n');
    await stop();
    await rm(join(directory, 'passwords.json'));
    const again = await start();
    expect(await query(again.url('kept', 'application'), 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(await query(again.url('kept', 'owner'), 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('gets passwords again if the stored ones belong to another cluster', async () => {
    await start();
    await stop();
    const passwords = JSON.parse(await readFile(join(directory, 'passwords.json'), 'utf8'));
    const others = Object.fromEntries(Object.keys(passwords).map((login) => [login, `another-${login}`]));
    await writeFile(join(directory, 'passwords.json'), JSON.stringify(others));
    const again = await start();
    expect(await query(again.url('kept', 'application'), 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});
