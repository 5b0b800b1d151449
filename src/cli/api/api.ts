import { z } from 'zod';
import { type ApiCallsReply, apiCallsReply } from '../../contracts/apiCalls.ts';
import {
  type CheckLicenseKey,
  type CliLogin,
  type CliLoginReply,
  type CliSessionReply,
  cliLoginReply,
  cliSessionReply,
  cliThemeReply,
} from '../../contracts/cli.ts';
import { type BeginDevice, type BeginDeviceReply, beginDeviceReply } from '../../contracts/deviceAuthorization.ts';
import { type MachinesReply, machinesReply } from '../../contracts/machines.ts';
import { type IssueOfflineLicenseBody, type OfflineLicenseReply, offlineLicenseReply } from '../../contracts/offlineLicenses.ts';
import { done, versionReply } from '../../contracts/replies.ts';
import { traceparentOf } from '../../contracts/traceparent.ts';
import { type UsageRange, type UsageReply, usageReply } from '../../contracts/usage.ts';
import type { Env } from '../env.ts';
import type { Answer, Failure } from '../failure.ts';
import { deadlineIn } from '../waiting.ts';
import { answerOf } from './answers.ts';
import { abortedBy, networkFailure } from './networkErrors.ts';
import { openTransport, type Reply } from './transport.ts';
import { isOutOfDate, outOfDateWith, userAgent } from './version.ts';

/** What a server says about itself. `tookMs`: from the request to the reply. */
export type Probe = Readonly<{
  /** Null if the server does not publish it. */
  version: string | null;
  tookMs: number;
  /** How far the clock of this machine is ahead of the server's, in ms, to about a second; null if the reply has no date. */
  aheadMs: number | null;
}>;

/** The server's endpoints for the command-line tool. No method throws. */
export type Api = Readonly<{
  /** Checks a license key without a user. */
  checkKey: (body: CheckLicenseKey) => Promise<Answer<unknown>>;
  login: (body: CliLogin) => Promise<Answer<CliLoginReply>>;
  /** Starts a sign-in that the user approves in the portal. */
  beginDevice: (body: BeginDevice) => Promise<Answer<BeginDeviceReply>>;
  /** Asks for the user's decision. */
  pollDevice: (deviceCode: string) => Promise<Answer<CliLoginReply>>;
  logout: () => Promise<Answer<unknown>>;
  /** Gives the floating seat of the user back. */
  releaseSeat: () => Promise<Answer<unknown>>;
  session: () => Promise<Answer<CliSessionReply>>;
  theme: () => Promise<Answer<z.infer<typeof cliThemeReply>>>;
  /** The figures of the last days of a time zone. */
  usage: (days: UsageRange, zone: string) => Promise<Answer<UsageReply>>;
  machines: () => Promise<Answer<MachinesReply>>;
  approveMachine: (requestId: string) => Promise<Answer<MachinesReply>>;
  rejectMachine: (requestId: string) => Promise<Answer<MachinesReply>>;
  removeMachine: (machineId: string) => Promise<Answer<MachinesReply>>;
  issueOfflineLicense: (body: IssueOfflineLicenseBody) => Promise<Answer<OfflineLicenseReply>>;
  renameMachine: (machineId: string, name: string) => Promise<Answer<MachinesReply>>;
  /** `body` is the JSON of `recordApiCalls`. */
  record: (body: Buffer, signal: AbortSignal) => Promise<Answer<ApiCallsReply>>;
  /** Asks for the server's version and time, without a session. */
  probe: () => Promise<Answer<Probe>>;
  /** Adds the server's version to a failure that is caused by incompatible versions. Returns other failures unchanged. */
  explain: (failure: Failure) => Promise<Failure>;
  close: () => Promise<void>;
}>;

export type ApiOptions = Readonly<{
  server: string;
  token: string | null;
  env: Env;
  now: () => number;
  signal: AbortSignal;
}>;

/** The timeout from the request to the last byte of the response. */
const ANSWER_MS = 15_000;

/** The timeout of the request for an incompatible server's version. */
const VERSION_MS = 3_000;

/** What older servers, which have no route for their version, say in the description of their API. */
const describedApi = z.object({ info: z.object({ version: z.string() }) }).transform(({ info }) => info);
const versionOfServer = z.union([versionReply, describedApi]);

/** A date has whole seconds, of which half a one has passed on average; a cached reply says its age. */
const aheadOf = ({ header }: Reply, { sentAt, receivedAt }: { sentAt: number; receivedAt: number }): number | null => {
  const date = Date.parse(header('date') ?? '');
  const age = Number(header('age') ?? 0);
  return Number.isNaN(date + age) ? null : (sentAt + receivedAt) / 2 - (date + 500 + age * 1_000);
};

/** Requests to one server, as the given session. Aborts with `signal`. */
export const openApi = ({ server, token, env, now, signal: lifetime }: ApiOptions): Api => {
  const transport = openTransport(env);
  const anonymous = { accept: 'application/json', 'user-agent': userAgent() };
  const traceparent = traceparentOf(env.TRACEPARENT);
  const common = {
    ...anonymous,
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(traceparent !== undefined && { traceparent }),
  };

  const get = (path: string, signal: AbortSignal): Promise<Reply> =>
    transport.send({ method: 'GET', url: `${server}${path}`, headers: anonymous, body: null, signal });
  /** What `versionOfServer` reads. */
  const askVersion = async (signal: AbortSignal): Promise<Reply> => {
    const reply = await get('/api/version', signal);
    return reply.status === 404 ? get('/api/openapi.json', signal) : reply;
  };

  let serverVersion: Promise<string | null> | null = null;
  const requestVersion = async (): Promise<string | null> => {
    const { signal, clear } = deadlineIn(VERSION_MS, lifetime);
    try {
      return versionOfServer.parse(JSON.parse((await askVersion(signal)).body)).version;
    } catch {
      return null; // the version is only additional information
    } finally {
      clear();
    }
  };
  const explain = async (failure: Failure): Promise<Failure> => {
    if (!isOutOfDate(failure)) return failure;
    serverVersion ??= requestVersion();
    const theirs = await serverVersion;
    return theirs === null ? failure : outOfDateWith(failure, server, theirs);
  };

  const probe = async (): Promise<Answer<Probe>> => {
    const { signal, clear } = deadlineIn(ANSWER_MS, lifetime);
    const sentAt = now();
    try {
      const reply = await askVersion(signal);
      const receivedAt = now();
      const answer = answerOf(versionOfServer, reply, server, receivedAt);
      if (!answer.ok) return answer;
      const times = { sentAt, receivedAt };
      return {
        ok: true,
        value: { version: answer.value.version, tookMs: receivedAt - sentAt, aheadMs: aheadOf(reply, times) },
      };
    } catch (error) {
      return { ok: false, failure: signal.aborted ? abortedBy(signal, server) : networkFailure(error, server) };
    } finally {
      clear();
    }
  };

  const call = async <Schema extends z.ZodType>(
    schema: Schema,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: Buffer | null,
    parent: AbortSignal = lifetime,
  ): Promise<Answer<z.output<Schema>>> => {
    if (parent.aborted) return { ok: false, failure: abortedBy(parent, server) };
    const { signal, clear } = deadlineIn(ANSWER_MS, parent);
    const headers = body === null ? common : { ...common, 'content-type': 'application/json' };
    try {
      const reply = await transport.send({ method, url: `${server}/api/cli/${path}`, headers, body, signal });
      const answer = answerOf(schema, reply, server, now());
      return answer.ok ? answer : { ok: false, failure: await explain(answer.failure) };
    } catch (error) {
      return { ok: false, failure: signal.aborted ? abortedBy(signal, server) : networkFailure(error, server) };
    } finally {
      clear();
    }
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));

  return {
    checkKey: (body) => call(done, 'POST', 'license-key/check', json(body)),
    login: (body) => call(cliLoginReply, 'POST', 'login', json(body)),
    beginDevice: (body) => call(beginDeviceReply, 'POST', 'device', json(body)),
    pollDevice: (deviceCode) => call(cliLoginReply, 'POST', 'device/token', json({ deviceCode })),
    logout: () => call(done, 'POST', 'logout', json({})),
    releaseSeat: () => call(done, 'POST', 'seat/release', json({})),
    session: () => call(cliSessionReply, 'GET', 'session', null),
    theme: () => call(cliThemeReply, 'GET', 'theme', null),
    usage: (days, zone) => call(usageReply, 'GET', `usage?${new URLSearchParams({ days: String(days), zone })}`, null),
    machines: () => call(machinesReply, 'GET', 'machines', null),
    approveMachine: (requestId) => call(machinesReply, 'POST', `machine-requests/${requestId}/approve`, null),
    rejectMachine: (requestId) => call(machinesReply, 'POST', `machine-requests/${requestId}/reject`, null),
    removeMachine: (machineId) => call(machinesReply, 'DELETE', `machines/${machineId}`, null),
    issueOfflineLicense: (body) => call(offlineLicenseReply, 'POST', 'offline-licenses', json(body)),
    renameMachine: (machineId, name) => call(machinesReply, 'PUT', `machines/${machineId}/name`, json({ name })),
    record: (body, signal) => call(apiCallsReply, 'POST', 'api-calls', body, signal),
    probe,
    explain,
    close: transport.close,
  };
};
