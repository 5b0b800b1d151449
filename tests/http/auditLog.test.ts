import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckpoint, signCheckpoint } from '../../src/auditLog/checkpoint.ts';
import { sha256 } from '../../src/auditLog/hashing.ts';
import { newSigningKey } from '../../src/auditLog/signedNote.ts';
import { hashOfLine, signEnd } from '../../src/auditLog/verifiedExport.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let path: string;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latchkey-audit-'));
  server = await openServer();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
  const customer = await newCustomer(admin, integrator.id, { name: 'Northwind' });
  path = `/customers/${customer.id}`;
  const tool = await asTool(server.url, customer, 'ada');
  const setStatus = (status: string) =>
    admin.put(`/api/admin${path}`, { name: 'Northwind', contactEmail: customer.contactEmail, status });
  await setStatus('suspended');
  await sessionEnd(server.product, tool);
  await setStatus('active');
  portal = await asCustomer(server.url, customer);
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

const exportOf = async (client: Client, address: string): Promise<string> => {
  const reply = await client.get(address);
  expect([reply.headers.get('content-type'), reply.body]).toEqual(['application/x-ndjson; charset=utf-8', expect.any(String)]);
  return String(reply.body);
};

const publicText = async (address: string): Promise<string> => (await fetch(`${server.url}${address}`)).text();

const fileOf = async (name: string, content: string): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, content);
  return file;
};

type Verdict = {
  verified: boolean;
  trustedKey: boolean;
  entries: number;
  deleted: number;
  problems: { kind: string; line: number | null; message: string }[];
};

/** Verifies a text as `latchkey-admin audit verify` does it, without stores. */
const verify = async (content: string, ...more: string[]): Promise<{ code: number | null } & Verdict> => {
  const file = await fileOf('export.ndjson', content);
  const { code, out } = await runAdminTool(['--json', 'audit', 'verify', file, ...more], {});
  return { ...JSON.parse(out), code };
};

const kindsOf = ({ problems }: Verdict): string[] => problems.map(({ kind, line }) => `${kind} ${line ?? ''}`.trim());

describe('a verified export', () => {
  it('proves each entry to a verifier with the key, for each reader', async () => {
    const keys = await fileOf('keys', await publicText('/.well-known/latchkey/keys'));
    const exports = await Promise.all([
      exportOf(admin, `/api/admin${path}/history?proofs=true`),
      exportOf(partner, `/api/service-integrator${path}/history?proofs=true`),
      exportOf(portal, '/api/customer/history?proofs=true'),
      exportOf(partner, '/api/service-integrator/history?proofs=true'),
      exportOf(admin, '/api/admin/history?proofs=true'),
    ]);
    for (const content of exports) {
      const verdict = await verify(content, '--key', keys);
      expect(verdict).toMatchObject({ code: 0, verified: true, trustedKey: true, problems: [], deleted: 0 });
    }
    const [ofAdmin = '', ofPartner = ''] = exports;
    const plain = await admin.get(`/api/admin${path}/history`, { headers: { accept: 'application/x-ndjson' } });
    const entries = ofAdmin
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line));
    expect(entries.map(({ entry }) => JSON.stringify(entry))).toEqual(String(plain.body).trim().split('\n'));
    expect(entries.length).toBeGreaterThan(4);
    // Stored data and metadata contain more than the history shows to other readers.
    expect(JSON.parse(entries[0].proven.metadata)).toMatchObject({ actor: { kind: 'admin' } });
    expect(ofPartner).not.toContain('"metadata":');
    expect(ofPartner).not.toContain('"data":');
  });

  it('has the entries of its filter only, also if there are none', async () => {
    const some = await exportOf(admin, `/api/admin${path}/history?proofs=true&type=CustomerSuspended`);
    expect(await verify(some)).toMatchObject({ code: 0, entries: 1, trustedKey: false });
    const none = await exportOf(admin, `/api/admin${path}/history?proofs=true&search=nothing-has-this`);
    expect(await verify(none)).toMatchObject({ code: 0, entries: 0 });
  });

  it('is reported as changed, removed, reordered, duplicated, truncated or extended', async () => {
    const content = await exportOf(admin, `/api/admin${path}/history?proofs=true`);
    const lines = content.trimEnd().split('\n');
    const last = lines.length;
    const joined = (some: readonly (string | undefined)[]): string => `${some.join('\n')}\n`;
    const summaryChanged = lines.with(2, (lines[2] ?? '').replace('"summary":"', '"summary":"Not '));
    expect(kindsOf(await verify(joined(summaryChanged)))).toEqual(['changed 3']);
    const { type, at, id } = JSON.parse(lines[2] ?? '').entry;
    expect((await verify(joined(summaryChanged))).problems).toEqual([
      { kind: 'changed', line: 3, message: 'Entry 2 was changed', entry: { type, at, id } },
    ]);
    const { out } = await runAdminTool(['audit', 'verify', await fileOf('changed', joined(summaryChanged))], {});
    expect(out).toContain(`Line 3: changed: Entry 2 was changed (${type}, ${at}, event ${id})`);
    expect(kindsOf(await verify(joined(lines.toSpliced(2, 1))))).toEqual(['removed']);
    expect(kindsOf(await verify(joined(lines.toSpliced(last - 2, 1))))).toEqual(['removed']);
    expect(kindsOf(await verify(joined(lines.toSpliced(1, last - 2))))).toEqual(['removed']);
    const swapped = lines.with(2, lines[3] ?? '').with(3, lines[2] ?? '');
    expect(kindsOf(await verify(joined(swapped)))).toEqual(['reordered 4', 'reordered 4']);
    expect(kindsOf(await verify(joined(lines.toSpliced(3, 0, lines[2] ?? ''))))).toEqual(['duplicated 4', 'duplicated 4']);
    expect(kindsOf(await verify(joined(lines.slice(0, -1))))).toEqual(['truncated']);
    const withinLine = content.indexOf('\n', content.length / 2) - 10;
    expect(kindsOf(await verify(content.slice(0, withinLine)))).toEqual([expect.stringMatching(/unreadable/), 'truncated']);
    expect(kindsOf(await verify(`${content}more\n`))).toEqual([`added ${last + 1}`]);
    expect(kindsOf(await verify(content.replace('"exportedAt":"2', '"exportedAt":"1')))).toEqual(['changed 1']);
    expect(kindsOf(await verify('not an export\n'))).toEqual(['unreadable 1']);
    expect(kindsOf(await verify(''))).toEqual(['unreadable']);
  });

  it('is not verified after any of a sample of its bytes was changed', async () => {
    const content = await exportOf(partner, `/api/service-integrator${path}/history?proofs=true`);
    const step = Math.ceil(content.length / 60);
    for (let at = 0; at < content.length; at += step) {
      const other = content[at] === 'A' ? 'B' : 'A';
      const verdict = await verify(content.slice(0, at) + other + content.slice(at + 1));
      expect(verdict.code, `byte ${at} of ${content.length}: ${content.slice(at - 10, at + 10)}`).toBe(1);
    }
  });

  /** Writes the file again, as an attacker who knows its format and has a key. */
  const rewritten = (
    content: string,
    change: (line: { entry: Record<string, unknown>; proven: Record<string, unknown> }, nr: number) => unknown,
    sign: ReturnType<typeof newSigningKey>,
    keepsCheckpoint = false,
  ): string => {
    const lines = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [head, ...rest] = lines.slice(0, -1);
    const root = sha256('forged');
    const origin = head.checkpoint.split('\n')[0];
    const checkpoint = keepsCheckpoint
      ? head.checkpoint
      : signCheckpoint({ origin, size: 1_000, root, at: new Date(0).toISOString() }, [sign]);
    const written = [JSON.stringify({ ...head, checkpoint, keys: [sign.verifierKey, ...head.keys] })];
    for (const [nr, line] of rest.entries()) {
      change(line, nr);
      written.push(JSON.stringify({ ...line, previous: hashOfLine(written.at(-1) ?? '') }));
    }
    const end = { entries: rest.length, previous: hashOfLine(written.at(-1) ?? '') };
    return `${[...written, JSON.stringify({ ...end, signature: signEnd(origin, end, [sign]) })].join('\n')}\n`;
  };

  it('is not verified if it is signed with another key, whatever it says', async () => {
    const content = await exportOf(admin, `/api/admin${path}/history?proofs=true`);
    const key = (await publicText('/.well-known/latchkey/keys')).trim();
    const forger = newSigningKey(key.split('+')[0] ?? '');
    const unchanged = rewritten(content, () => undefined, forger, true);
    // With the key of the file alone it fits together: hence the note to pass --key.
    expect(await verify(unchanged)).toMatchObject({ code: 0, trustedKey: false });
    expect(kindsOf(await verify(unchanged, '--key', key))).toEqual([expect.stringMatching(/^forged/)]);
    expect(
      kindsOf(
        await verify(
          rewritten(content, () => undefined, forger),
          '--key',
          key,
        ),
      ),
    ).toContain('forged 1');
    const forged = rewritten(
      content,
      ({ entry }, nr) => {
        if (nr === 1) entry.type = 'CustomerDeleted';
      },
      forger,
      true,
    );
    expect(kindsOf(await verify(forged))).toEqual(['changed 3']);
    const moved = rewritten(content, ({ proven }) => Object.assign(proven, { index: Number(proven.index) + 1 }), forger, true);
    expect(new Set((await verify(moved)).problems.map(({ kind }) => kind))).toEqual(new Set(['changed']));
    const otherData = rewritten(content, ({ proven }) => Object.assign(proven, { data: '{}' }), forger, true);
    expect((await verify(otherData)).code).toBe(1);
    const unproven = rewritten(content, (line) => Object.assign(line, { proven: null }), forger, true);
    expect((await verify(unproven)).problems[0]?.message).toBe('The entry has no proof');
  });

  it('continues a checkpoint that was kept, and no forged one', async () => {
    const keys = await fileOf('keys', await publicText('/.well-known/latchkey/keys'));
    const key = (await publicText('/.well-known/latchkey/keys')).trim();
    const older = await exportOf(admin, `/api/admin${path}/history?proofs=true`);
    const keptText = JSON.parse(older.split('\n')[0] ?? '').checkpoint;
    const kept = await fileOf('kept', keptText);
    expect(await verify(older, '--key', keys, '--checkpoint', kept)).toMatchObject({ code: 0 });
    for (const enforced of [false, true])
      expect(await portal.put('/api/customer/machine-approval', { enforced })).toMatchObject({ status: 200 });
    const newer = await exportOf(admin, `/api/admin${path}/history?proofs=true`);
    const file = await fileOf('export.ndjson', newer);
    const asked = await runAdminTool(['audit', 'verify', file, '--key', keys, '--checkpoint', kept], {});
    expect(asked.code).toBe(2);
    const address = /\/\.well-known\/latchkey\/consistency\/\d+\/\d+/.exec(asked.err)?.[0] ?? '';
    const proof = await fileOf('proof', await publicText(address));
    expect(await verify(newer, '--key', keys, '--checkpoint', kept, '--proof', proof)).toMatchObject({ code: 0, problems: [] });
    const wrong = await fileOf('wrong', `${sha256('x').toString('base64')}\n`);
    const rolledBack = await verify(newer, '--key', keys, '--checkpoint', kept, '--proof', wrong);
    expect(rolledBack.problems).toMatchObject([{ kind: 'forged', message: expect.stringContaining('rewritten or rolled back') }]);
    const forger = newSigningKey(key.split('+')[0] ?? '');
    const known = openCheckpoint(keptText, [key]);
    if (!known) throw new Error('No checkpoint');
    const forged = await fileOf('forged', signCheckpoint(known, [forger]));
    expect((await verify(older, '--key', keys, '--checkpoint', forged)).code).toBe(1);
    const split = await fileOf('split', signCheckpoint({ ...known, root: sha256('other') }, [forger]));
    const both = await fileOf('both', `${forger.verifierKey}\n${key}\n`);
    expect((await verify(older, '--key', both, '--checkpoint', split)).problems[0]?.message).toContain('different events');
  });

  it('stays valid after the customer was deleted and its personal data were erased', async () => {
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id, { name: 'Gone' });
    const address = `/api/admin/customers/${customer.id}`;
    const before = await exportOf(admin, `${address}/history?proofs=true`);
    expect((await admin.delete(address)).status).toBe(200);
    const after = await exportOf(admin, `${address}/history?proofs=true`);
    expect(await verify(before)).toMatchObject({ code: 0 });
    expect(await verify(after)).toMatchObject({ code: 0 });
    expect(JSON.parse(after.split('\n')[0] ?? '').checkpoint).not.toBe(JSON.parse(before.split('\n')[0] ?? '').checkpoint);
  });

  it('names files and keys that are wrong', async () => {
    const file = await fileOf('export.ndjson', await exportOf(admin, `/api/admin${path}/history?proofs=true`));
    const run = (...argv: string[]) => runAdminTool(['audit', 'verify', ...argv], {});
    expect(await run(join(directory, 'missing'))).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
    expect(await run(file, '--key', 'nothing')).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
    expect(await run(file, '--key', file)).toMatchObject({ code: 2, err: expect.stringContaining('neither a public key') });
    expect(await run(file, '--proof', file)).toMatchObject({ code: 2, err: expect.stringContaining('--checkpoint') });
    expect(await run(file)).toMatchObject({ code: 0, out: expect.stringMatching(/^Verified: \d+ entries/) });
    const changed = await fileOf('changed', 'no export\n');
    expect(await run(changed)).toMatchObject({ code: 1, out: expect.stringContaining('Line 1: unreadable') });
  });
});

describe('the public part of the audit log', () => {
  it('is checkpoints, proofs between them, and keys', async () => {
    const reply = await fetch(`${server.url}/.well-known/latchkey/checkpoint`);
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=60');
    const note = await reply.text();
    const keys = (await publicText('/.well-known/latchkey/keys')).trim().split('\n');
    const checkpoint = openCheckpoint(note, keys);
    expect(checkpoint?.signedBy).toEqual([keys[0]]);
    expect(await publicText(`/.well-known/latchkey/checkpoint/${checkpoint?.size}`)).toBe(note);
    expect((await fetch(`${server.url}/.well-known/latchkey/consistency/5/2`)).status).toBe(404);
    expect((await fetch(`${server.url}/.well-known/latchkey/consistency/1/99999999`)).status).toBe(404);
    expect((await fetch(`${server.url}/.well-known/latchkey/checkpoint/one`)).status).toBe(404);
  });
});
