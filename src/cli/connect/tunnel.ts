import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { proxiesOf } from '../api/transport.ts';
import type { Env } from '../env.ts';
import { CONNECT_MS, deadlineIn } from '../waiting.ts';

const matches = (entry: string, host: string, port: string): boolean => {
  const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  return (only === undefined || only === port) && (host === name || host.endsWith(`.${name}`));
};

/** The proxy for a WebSocket URL, by the same rules as for HTTP requests; null if there is none. */
export const proxyFor = (url: URL, env: Env): URL | null => {
  const { http, https, none } = proxiesOf(env);
  const secure = url.protocol === 'wss:';
  const proxy = secure ? https : http;
  const port = url.port || (secure ? '443' : '80');
  const excepted = none.split(/[\s,]+/).filter((entry) => entry !== '');
  if (proxy === '' || excepted.includes('*') || excepted.some((entry) => matches(entry, url.hostname.toLowerCase(), port)))
    return null;
  return URL.canParse(proxy) ? new URL(proxy) : null;
};

/** Destroys what does not open in time, or when the signal aborts. Returns what ends this. */
const limitOpening = (opening: { destroy: (error: Error) => unknown }, parent: AbortSignal, timedOut: string): (() => void) => {
  const { signal, clear } = deadlineIn(CONNECT_MS, parent);
  const end = () => opening.destroy(new Error(timedOut));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  return clear;
};

/** Opens TLS inside a tunnel. */
const openTls = (tunnel: Socket, servername: string, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const inside = tlsConnect({ socket: tunnel, servername });
    const opened = limitOpening(inside, signal, 'the server does not reply through the proxy');
    inside.once('error', reject);
    inside.once('close', () => {
      opened();
      tunnel.destroy();
    });
    inside.once('secureConnect', () => {
      opened();
      resolve(inside);
    });
  });

/** Opens a CONNECT tunnel through a proxy to a WebSocket's host, with TLS inside it for `wss:`. Rejects if the signal aborts. */
export const openTunnel = (proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> => {
  const secure = target.protocol === 'wss:';
  const authority = `${target.hostname}:${target.port || (secure ? 443 : 80)}`;
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers: Record<string, string> = { host: authority };
  if (proxy.username !== '') headers['proxy-authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asking = request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
    });
    const opened = limitOpening(asking, signal, 'the proxy does not reply');
    asking.once('error', (error) => {
      opened();
      reject(error);
    });
    asking.once('connect', ({ statusCode }, socket) => {
      opened();
      if (statusCode !== 200) {
        socket.destroy();
        reject(new Error(`Proxy response (${statusCode}) to a request for a tunnel`));
        return;
      }
      resolve(secure ? openTls(socket, target.hostname, signal) : socket);
    });
    asking.end();
  });
};
