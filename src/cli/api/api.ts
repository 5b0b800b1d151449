import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ApiCallsReply, apiCallsReply } from '../../contracts/apiCalls.ts';
import {
  type CliLogin,
  type CliLoginReply,
  type CliSessionReply,
  cliLoginReply,
  cliSessionReply,
  cliThemeReply,
} from '../../contracts/cli.ts';
import { done } from '../../contracts/replies.ts';
import type { Answer } from '../failure.ts';
import type { Env } from '../io.ts';
import { deadlineIn } from '../waiting.ts';
import { answerOf } from './answers.ts';
import { openTransport } from './transport.ts';
import { abortedBy, troubleOf } from './troubles.ts';

/** The server's calls for the command-line tool. None of them throws. */
export type Api = Readonly<{
  login: (body: CliLogin) => Promise<Answer<CliLoginReply>>;
  logout: () => Promise<Answer<unknown>>;
  session: () => Promise<Answer<CliSessionReply>>;
  theme: () => Promise<Answer<z.infer<typeof cliThemeReply>>>;
  /** `body` is the JSON of `recordApiCalls`. */
  record: (body: Buffer, signal: AbortSignal) => Promise<Answer<ApiCallsReply>>;
  close: () => Promise<void>;
}>;

export type ApiOptions = Readonly<{
  server: string;
  token: string | null;
  env: Env;
  now: () => number;
  signal: AbortSignal;
}>;

/** How long one answer may take, from the request to its last byte. */
const ANSWER_MS = 15_000;

const packageFile = z.object({ version: z.string() });

/** The version of this package. */
export const versionOf = (): string =>
  packageFile.parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))).version;

/** How the tool names itself to servers. */
export const userAgent = (): string => `latchkey/${versionOf()} node/${process.versions.node} ${process.platform}`;

export const openApi = ({ server, token, env, now, signal: always }: ApiOptions): Api => {
  const transport = openTransport(env);
  const common = {
    accept: 'application/json',
    'user-agent': userAgent(),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };

  const call = async <Schema extends z.ZodType>(
    schema: Schema,
    method: 'GET' | 'POST',
    path: string,
    body: Buffer | null,
    parent: AbortSignal = always,
  ): Promise<Answer<z.output<Schema>>> => {
    if (parent.aborted) return { ok: false, failure: abortedBy(parent, server) };
    const { signal, clear } = deadlineIn(ANSWER_MS, parent);
    const headers = body === null ? common : { ...common, 'content-type': 'application/json' };
    try {
      const reply = await transport.send({ method, url: `${server}/api/cli/${path}`, headers, body, signal });
      return answerOf(schema, reply, server, now());
    } catch (error) {
      return { ok: false, failure: signal.aborted ? abortedBy(signal, server) : troubleOf(error, server) };
    } finally {
      clear();
    }
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));

  return {
    login: (body) => call(cliLoginReply, 'POST', 'login', json(body)),
    logout: () => call(done, 'POST', 'logout', json({})),
    session: () => call(cliSessionReply, 'GET', 'session', null),
    theme: () => call(cliThemeReply, 'GET', 'theme', null),
    record: (body, signal) => call(apiCallsReply, 'POST', 'api-calls', body, signal),
    close: transport.close,
  };
};
