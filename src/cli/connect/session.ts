import { type RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { CLOSE, type CliFrame, cliFrame, type Hello } from '../../contracts/cli.ts';
import { networkFailure } from '../api/networkErrors.ts';
import type { Env } from '../env.ts';
import { type Failure, unreachable, unreachableAsConfigured } from '../failure.ts';
import { CONNECT_MS } from '../waiting.ts';
import { closedFor, type End, handshakeFailure, isFinal, revokedFor, signedInFailure } from './endings.ts';
import { openTunnel, proxyFor } from './tunnel.ts';

export type SessionOptions = Readonly<{
  server: string;
  token: string;
  connectionId: string;
  env: Env;
  userAgent: string;
  /** Called with each frame; `frame` is null for a type that this version does not know. */
  onFrame: (raw: unknown, frame: CliFrame | null) => void;
  signal: AbortSignal;
}>;

const WELCOME_MS = 10_000;
/** The server pings every 15 s. Without any message for this long, the connection counts as lost. */
const SILENCE_MS = 40_000;
const MAX_FRAME_BYTES = 256 * 1024;
const CLOSE_MS = 2_000;

const anyFrame = z.looseObject({ type: z.string() });

const parseFrame = (data: RawData): unknown => {
  try {
    return JSON.parse(data.toString());
  } catch {
    return null;
  }
};

const addressOf = (server: string): URL => {
  const url = new URL(`${server}/api/cli/connect`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
};

/** Opens a WebSocket to the server and resolves when either side closes it. Never throws. */
export const openSession = async (options: SessionOptions): Promise<End> => {
  const { server, token, connectionId, env, userAgent, onFrame, signal } = options;
  const url = addressOf(server);
  const lost = (failure: Failure, welcomed = false, restarting = false): End =>
    failure.passing ? { kind: 'lost', failure, welcomed, restarting } : { kind: 'over', failure };

  const proxy = proxyFor(url, env);
  let socket: WebSocket;
  try {
    const tunnel = proxy === null ? null : await openTunnel(proxy, url, signal);
    if (signal.aborted) {
      tunnel?.destroy();
      return { kind: 'left' };
    }
    socket = new WebSocket(url, {
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      headers: { 'user-agent': userAgent },
      ...(tunnel === null ? {} : { createConnection: () => tunnel }),
    });
  } catch (error) {
    return signal.aborted ? { kind: 'left' } : lost(networkFailure(error, server));
  }

  return new Promise((resolve) => {
    let welcomed = false;
    let ended = false;
    let revokedReason: string | null = null;
    let silenceTimer: NodeJS.Timeout | null = null;

    const end = (how: End) => {
      if (ended) return;
      ended = true;
      if (silenceTimer !== null) clearTimeout(silenceTimer);
      signal.removeEventListener('abort', onAbort);
      if (socket.readyState === WebSocket.OPEN && how.kind !== 'lost') {
        // A clean close lets the server end the presence immediately, without the grace period of a lost connection.
        socket.close(1000);
        const giveUp = setTimeout(() => socket.terminate(), CLOSE_MS);
        socket.once('close', () => {
          clearTimeout(giveUp);
          resolve(how);
        });
        return;
      }
      socket.terminate();
      resolve(how);
    };
    const onAbort = () => end({ kind: 'left' });
    const expectMessageWithin = (ms: number) => {
      if (silenceTimer !== null) clearTimeout(silenceTimer);
      silenceTimer = setTimeout(() => onBroken(unreachable('silent', `${server} stopped responding`)), ms);
    };
    /** Ends a broken connection. After a revoked frame, it is not reopened. */
    const onBroken = (failure: Failure) => {
      if (revokedReason === null) end(lost(failure, welcomed));
      else end({ kind: 'over', failure: revokedFor(CLOSE.forbidden, revokedReason) });
    };

    socket.on('error', (error) => onBroken(networkFailure(error, server)));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      end(lost(handshakeFailure(response.statusCode ?? 0, server)));
    });
    socket.on('open', () => {
      const hello: Hello = { type: 'hello', token, connectionId };
      socket.send(JSON.stringify(hello));
      expectMessageWithin(WELCOME_MS);
    });
    socket.on('ping', () => {
      if (revokedReason === null) expectMessageWithin(SILENCE_MS);
    });
    socket.on('message', (data) => {
      if (ended || revokedReason !== null) return;
      const raw = parseFrame(data);
      if (!anyFrame.safeParse(raw).success) {
        const failure = unreachableAsConfigured('not_latchkey', `${server} is not a Latchkey server`);
        return end(lost(failure));
      }
      expectMessageWithin(SILENCE_MS);
      const frame = cliFrame.safeParse(raw).data ?? null;
      if (frame?.type === 'welcome') welcomed = true;
      onFrame(raw, frame);
      if (frame?.type !== 'revoked') return;
      revokedReason = frame.reason;
      expectMessageWithin(CLOSE_MS); // the close code that follows says whether a new sign-in helps
    });
    socket.on('close', (code, cause) => {
      const signedIn = signedInFailure(String(cause), revokedReason);
      if (signedIn !== null) return end({ kind: 'over', failure: signedIn });
      if (revokedReason !== null && welcomed) return end({ kind: 'over', failure: revokedFor(code, revokedReason) });
      if (isFinal(code) || revokedReason !== null) return end({ kind: 'over', failure: closedFor(code, revokedReason, server) });
      const restarting = code === CLOSE.restart;
      const why = restarting ? `${server} is restarting` : `${server} closed the connection`;
      end(lost(unreachable(restarting ? 'restarting' : 'closed', why), welcomed, restarting));
    });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
};
