import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ApiCallsReply, apiCall, recordApiCalls } from '../../src/contracts/apiCalls.ts';
import { type CliFrame, type CliSessionReply, checkLicenseKey, cliLogin, hello } from '../../src/contracts/cli.ts';
import { customerId, userId } from '../../src/contracts/fields.ts';
import type { Problem } from '../../src/contracts/replies.ts';
import type { Certified } from './certificates.ts';

export const KEY = 'LK-ENT-TEST-ABCDE';
export const THEME = {
  name: 'aurora',
  displayName: 'Aurora',
  colors: { primary: '#0070AD', secondary: '#00CFFF', accent: '#FFB81C', background: '#FFFFFF', foreground: '#000000' },
};

type Session = Omit<CliSessionReply, 'success'>;
type Answer = Readonly<{ status: number; headers?: Readonly<Record<string, string>>; body: string | object }>;
/** What happens instead of a reply: the connection is reset before the request is handled, or after, or stays silent. */
type FailureMode = 'reset' | 'drop the reply' | 'no reply';
export type ReplyOverride = (path: string, body: unknown) => Answer | FailureMode | null | Promise<Answer | FailureMode | null>;

export type CliServer = Readonly<{
  url: string;
  /** Calls by source and sequence; a repeated call is stored once. */
  sources: ReadonlyMap<string, ReadonlyMap<number, unknown>>;
  /** All calls counted. */
  total: () => number;
  /** The number of open connections, whose requests may still be handled. */
  connections: () => number;
  /** Requested paths, in order. */
  requests: readonly string[];
  /** Users as they signed in. */
  logins: readonly unknown[];
  /** Replaces replies; null restores the normal ones. */
  override: (behaviour: ReplyOverride | null) => void;
  change: (change: Partial<Session>) => void;
  endSessions: () => void;
  sockets: () => number;
  /** Connection ids of all handshakes. */
  hellos: readonly string[];
  push: (frame: CliFrame | Record<string, unknown>) => void;
  closeSockets: (code: number, reason?: string) => void;
  breakSockets: () => void;
  close: () => Promise<void>;
}>;

export const problemOf = (status: number, code: string, error: string): Answer => {
  const body: Problem = { success: false, error, code };
  return { status, body };
};

const sessionOf = (): Session => {
  const id = customerId.parse('11111111-1111-4111-8111-111111111111');
  const createdAt = '2026-01-01T00:00:00.000Z';
  return {
    user: {
      id: userId.parse('22222222-2222-4222-8222-222222222222'),
      customerId: id,
      customerName: 'Acme',
      username: 'ada',
      email: 'ada@example.com',
      role: 'developer',
      status: 'active',
      lastLogin: createdAt,
      machineId: 'machine',
      pendingMachines: 0,
      createdAt,
      currentlyConnected: false,
    },
    customer: { id, name: 'Acme', status: 'active' },
    theme: THEME,
    seat: { kind: 'developer', allocated: 10, active: 3 },
  };
};

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

/** A server on loopback that honours the contract of the command-line tool, and misbehaves on request. */
export const startCliServer = async (tls?: Certified): Promise<CliServer> => {
  const sources = new Map<string, Map<number, unknown>>();
  const tokens = new Set<string>();
  const requests: string[] = [];
  const logins: unknown[] = [];
  const hellos: string[] = [];
  const connections = new Set<Socket>();
  let session = sessionOf();
  let behaviour: ReplyOverride | null = null;

  const recorded = (body: unknown): Answer => {
    const parsed = recordApiCalls.safeParse(body);
    if (!parsed.success) return problemOf(400, 'validation_failed', parsed.error.issues.map(({ message }) => message).join('; '));
    const { sourceId, firstSequence, calls } = parsed.data;
    const source = sources.get(sourceId) ?? new Map<number, unknown>();
    sources.set(sourceId, source);
    const reply: ApiCallsReply = {
      success: true,
      accepted: 0,
      duplicates: 0,
      rejected: [],
      nextSequence: firstSequence + calls.length,
    };
    for (const [index, call] of calls.entries()) {
      const sequence = firstSequence + index;
      const checked = apiCall.safeParse(call);
      if (!checked.success) reply.rejected.push({ sequence, reason: checked.error.issues[0]?.message ?? 'invalid' });
      else if (checked.data.operation === 'REFUSED') reply.rejected.push({ sequence, reason: 'Refused by name' });
      else if (source.has(sequence)) reply.duplicates++;
      else {
        source.set(sequence, checked.data);
        reply.accepted++;
      }
    }
    for (const sequence of source.keys()) reply.nextSequence = Math.max(reply.nextSequence, sequence + 1);
    return { status: 202, body: reply };
  };

  const answer = (path: string, body: unknown, token: string): Answer => {
    if (path === '/api/cli/license-key/check') {
      const checked = checkLicenseKey.safeParse(body);
      if (!checked.success) return problemOf(400, 'validation_failed', 'The request is not valid');
      if (checked.data.licenseKey !== KEY) return problemOf(401, 'unknown_license_key', 'Unknown license key');
      return { status: 200, body: { success: true } };
    }
    if (path === '/api/cli/login') {
      const parsed = cliLogin.safeParse(body);
      if (!parsed.success) return problemOf(400, 'validation_failed', 'The request is not valid');
      logins.push(parsed.data);
      if (parsed.data.licenseKey !== KEY) return problemOf(401, 'unknown_license_key', 'Unknown license key');
      const issued = randomUUID();
      tokens.add(issued);
      const { username, email, machineId } = parsed.data;
      session = { ...session, user: { ...session.user, username, email, machineId } };
      return { status: 200, body: { success: true, token: issued, ...session } };
    }
    if (!path.startsWith('/api/cli/')) return problemOf(404, 'not_found', 'Not found');
    if (!tokens.has(token)) return problemOf(401, 'session_required', 'Please sign in');
    if (path === '/api/cli/session') return { status: 200, body: { success: true, ...session } };
    if (path === '/api/cli/theme') return { status: 200, body: { success: true, theme: session.theme } };
    if (path === '/api/cli/api-calls') return recorded(body);
    if (path !== '/api/cli/logout') return problemOf(404, 'not_found', 'Not found');
    tokens.delete(token);
    return { status: 200, body: { success: true } };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    requests.push(path);
    const body = await readBody(request);
    const instead = behaviour === null ? null : await behaviour(path, body);
    if (instead === 'no reply') return;
    if (instead === 'reset') return void request.socket.destroy();
    const ordinary = () => answer(path, body, request.headers.authorization?.slice('Bearer '.length) ?? '');
    if (instead === 'drop the reply') {
      ordinary();
      request.socket.destroy();
      return;
    }
    const { status, headers, body: content } = instead ?? ordinary();
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    response.writeHead(status, { 'content-type': typeof content === 'string' ? 'text/html' : 'application/json', ...headers });
    response.end(text);
  };

  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('request', (request, response) => void handle(request, response));
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const upgrades = new WebSocketServer({ server, path: '/api/cli/connect' });
  const open = new Set<WebSocket>();
  upgrades.on('connection', (socket) => {
    requests.push('/api/cli/connect');
    socket.on('close', () => open.delete(socket));
    socket.once('message', (data) => {
      const first = hello.safeParse(JSON.parse(data.toString()));
      if (!first.success) return socket.close(4403, 'Say hello first');
      if (!tokens.has(first.data.token)) return socket.close(4401, 'Please sign in');
      hellos.push(first.data.connectionId);
      open.add(socket);
      const { user, customer, theme } = session;
      socket.send(JSON.stringify({ type: 'welcome', user, customer, theme }));
    });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    sources,
    total: () => [...sources.values()].reduce((total, source) => total + source.size, 0),
    connections: () => connections.size,
    requests,
    logins,
    override: (next) => {
      behaviour = next;
    },
    change: (change) => {
      session = { ...session, ...change };
    },
    endSessions: () => tokens.clear(),
    sockets: () => open.size,
    hellos,
    push: (frame) => {
      for (const socket of open) socket.send(JSON.stringify(frame));
    },
    closeSockets: (code, reason) => {
      for (const socket of open) socket.close(code, reason);
    },
    breakSockets: () => {
      for (const socket of open) socket.terminate();
    },
    close: async () => {
      for (const socket of open) socket.terminate();
      upgrades.close();
      server.close();
      for (const socket of connections) socket.destroy();
      await once(server, 'close');
    },
  };
};
