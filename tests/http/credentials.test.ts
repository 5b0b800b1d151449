import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { startThirdParty, type ThirdParty } from '../support/thirdParties.ts';

let server: TestServer;
let portal: Client;
let jira: ThirdParty;

beforeAll(async () => {
  server = await openServer({ CREDENTIAL_TEST_ALLOW: '127.0.0.1' });
  jira = await startThirdParty('jira', { username: 'ada', secret: 'the-secret' });
  const admin = await asAdmin(server.url);
  portal = await asCustomer(server.url, await newCustomer(admin, (await newIntegrator(admin)).id));
});

afterEach(() => jira.behave('normal'));

afterAll(async () => {
  await jira.close();
  await server.close();
});

const store = (given: Record<string, unknown> = {}) =>
  portal.post('/api/credentials/store', {
    service: 'jira',
    instanceUrl: jira.url,
    username: 'ada',
    password: 'the-secret',
    ...given,
  });

describe('a credential', () => {
  it('is tested when it is stored, and returned without its secrets', async () => {
    const reply = await store({ apiToken: 'the-secret' });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        success: true,
        credential: { service: 'jira', instanceUrl: jira.url, username: 'ada', hasApiToken: true, status: 'connected' },
      },
    });
    expect(JSON.stringify(reply.body)).not.toContain('the-secret');
    const list = await portal.get('/api/credentials/list');
    expect(list.body.credentials).toContainEqual(reply.body.credential);
    expect(JSON.stringify(list.body)).not.toContain('the-secret');
    const file = await portal.get('/api/credentials/list', { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/filename="credentials-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"/);
    expect(String(file.body)).toMatch(
      /^id,service,instance_url,username,password,api_token,status,.*\r\n.*,ada,true,true,connected,/,
    );
    expect(String(file.body)).not.toContain('the-secret');
  });

  it('that does not work is stored with the reason', async () => {
    const reason = 'Jira refused the username or the password (401).';
    expect((await store({ password: 'wrong' })).body.credential).toMatchObject({ status: 'error', reason });
  });

  it('is tested again on request; a failed test is a successful reply', async () => {
    const { id } = (await store()).body.credential;
    expect(await portal.post(`/api/credentials/${id}/test`)).toMatchObject({
      status: 200,
      body: { success: true, credential: { id, status: 'connected', reason: null } },
    });
    jira.behave('unauthorized');
    const failed = await portal.post(`/api/credentials/${id}/test`);
    expect(failed).toMatchObject({
      status: 200,
      body: { success: false, error: expect.any(String), credential: { id, status: 'error' } },
    });
    expect(failed.body.credential.reason).toBe(failed.body.error);
    expect(JSON.stringify(failed.body)).not.toContain('the-secret');
  });

  it('does not get the result of a slow test of its former login', async () => {
    const { id } = (await store({ password: 'former' })).body.credential;
    const before = jira.requests.length;
    jira.behave('slow');
    const slow = portal.post(`/api/credentials/${id}/test`);
    await eventually(
      async () => jira.requests.length,
      (count) => count > before,
    );
    jira.behave('normal');
    const login = { instanceUrl: jira.url, username: 'ada', password: 'the-secret' };
    expect((await portal.put(`/api/credentials/${id}`, login)).body.credential.status).toBe('connected');
    jira.release();
    expect(await slow).toMatchObject({ status: 200, body: { success: false, credential: { id, status: 'connected' } } });
  });

  it('keeps absent secrets, and requires them for a new address', async () => {
    const { id } = (await store()).body.credential;
    const path = `/api/credentials/${id}`;
    const kept = await portal.put(path, { instanceUrl: jira.url, username: 'ada', password: '' });
    expect(kept).toMatchObject({ status: 200, body: { credential: { id, status: 'connected' } } });
    const moved = { instanceUrl: 'https://elsewhere.invalid', username: 'ada' };
    expect(await portal.put(path, moved)).toMatchObject({ status: 400, body: { code: 'secret_required' } });
    expect(await portal.put(path, { ...moved, password: 'the-secret' })).toMatchObject({
      status: 200,
      body: { credential: { instanceUrl: moved.instanceUrl, status: 'error' } },
    });
  });

  it('needs no password if an API token is sufficient', async () => {
    const { body } = await store({ password: '', apiToken: 'the-secret' });
    expect(body).toMatchObject({ credential: { hasPassword: false, hasApiToken: true, status: 'connected' } });
    expect(await store({ password: undefined })).toMatchObject({ status: 400, body: { issues: [{ path: 'password' }] } });
    expect(await store({ service: 'azdo', password: null })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'password' }] },
    });
  });

  it('removes fields that are null, and keeps absent ones', async () => {
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const { id } = (await store({ apiToken: 'the-secret', expiresAt })).body.credential;
    const path = `/api/credentials/${id}`;
    const login = { instanceUrl: jira.url, username: 'ada' };
    expect((await portal.put(path, login)).body.credential).toMatchObject({ hasPassword: true, hasApiToken: true, expiresAt });
    expect((await portal.put(path, { ...login, password: null })).body.credential).toMatchObject({
      hasPassword: false,
      hasApiToken: true,
      expiresAt,
      status: 'connected',
    });
    expect(await portal.put(path, { ...login, apiToken: null })).toMatchObject({ status: 400, body: { code: 'secret_missing' } });
    const withPassword = { ...login, password: 'the-secret', apiToken: null, expiresAt: null };
    expect((await portal.put(path, withPassword)).body.credential).toMatchObject({
      hasPassword: true,
      hasApiToken: false,
      expiresAt: null,
      status: 'connected',
    });
    expect((await portal.get('/api/credentials/list')).body.credentials).toContainEqual(
      expect.objectContaining({ id, hasPassword: true, hasApiToken: false, expiresAt: null }),
    );
    const { history } = (await portal.get('/api/customer/history?type=CredentialRevised')).body;
    expect(history[0].summary).toBe(`The Jira credential for ${jira.url} was edited, with a new secret, a secret was removed`);
  });

  it('is deleted', async () => {
    const { id } = (await store()).body.credential;
    expect(await portal.delete(`/api/credentials/${id}`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await portal.post(`/api/credentials/${id}/test`)).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
    expect((await portal.get('/api/credentials/list')).body.credentials.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  it('has an API token for Jira only', async () => {
    expect(await store({ service: 'azdo', apiToken: 'x' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'apiToken', message: 'API tokens are supported only for Jira' }] },
    });
  });
});
