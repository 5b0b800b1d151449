import type { Dispatcher } from 'undici';
import type { Env } from '../env.ts';
import { CONNECT_MS } from '../waiting.ts';

type Request = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  signal: AbortSignal;
}>;

export type Reply = Readonly<{
  status: number;
  /** The first value of a header by its lower-case name. */
  header: (name: string) => string | null;
  body: string;
}>;

export type Transport = Readonly<{
  /** Throws unless the complete response arrives. */
  send: (request: Request) => Promise<Reply>;
  close: () => Promise<void>;
}>;

const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** The proxies of the environment. Lower-case variables take precedence, as in other tools. */
export const proxiesOf = (env: Env): Readonly<{ http: string; https: string; none: string }> => {
  const http = env.http_proxy || env.HTTP_PROXY || '';
  return { http, https: env.https_proxy || env.HTTPS_PROXY || http, none: env.no_proxy ?? env.NO_PROXY ?? '' };
};

/** HTTP with keep-alive connections, and through the environment's proxy if there is one. Connects at the first request. */
export const openTransport = (env: Env): Transport => {
  let opening: Promise<{ request: typeof Dispatcher.prototype.request; close: () => Promise<void> }> | null = null;

  const open = async () => {
    // Loaded lazily, because the import takes longer than most commands without a server.
    const { Agent, EnvHttpProxyAgent } = await import('undici');
    const options = { connect: { timeout: CONNECT_MS } };
    const { http, https, none } = proxiesOf(env);
    const agent: Dispatcher =
      http === '' && https === ''
        ? new Agent(options)
        : new EnvHttpProxyAgent({ ...options, httpProxy: http, httpsProxy: https, noProxy: none, proxyTunnel: false });
    return { request: agent.request.bind(agent), close: () => agent.destroy() };
  };

  return {
    send: async ({ method, url, headers, body, signal }) => {
      opening ??= open();
      const { origin, pathname, search } = new URL(url);
      const { request } = await opening;
      const answer = await request({ origin, path: `${pathname}${search}`, method, headers, body, signal });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body) {
        if (!Buffer.isBuffer(chunk)) continue;
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) throw new Error('the reply is too long');
        chunks.push(chunk);
      }
      return {
        status: answer.statusCode,
        header: (name) => {
          const value = answer.headers[name];
          return (Array.isArray(value) ? value[0] : value) ?? null;
        },
        body: Buffer.concat(chunks).toString(),
      };
    },
    close: async () => {
      if (opening !== null) await (await opening).close();
    },
  };
};
