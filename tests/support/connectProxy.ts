import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type ConnectProxy = Readonly<{
  url: string;
  /** Its requests: `CONNECT host:port` and `GET http://…`. */
  requests: readonly string[];
  /** Opens tunnels from now on that pass nothing on. */
  silence: () => void;
  /** The number of open connections of clients. */
  connections: () => number;
  /** Requires this name and password. */
  demand: (user: string) => void;
  close: () => Promise<void>;
}>;

/** A forward proxy on loopback: tunnels, and plain requests with the whole address in their first line. */
export const startConnectProxy = async (): Promise<ConnectProxy> => {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let demanded: string | null = null;
  let isSilent = false;
  const isWelcome = (header: string | undefined) =>
    demanded === null || header === `Basic ${Buffer.from(demanded).toString('base64')}`;

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!isWelcome(request.headers['proxy-authorization'])) return void response.writeHead(407).end();
    const onward = forward(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    if (!isWelcome(request.headers['proxy-authorization']))
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (isSilent) {
      client.on('error', () => client.destroy()).on('end', () => client.end());
      return void client.resume().write('HTTP/1.1 200 Connection established\r\n\r\n');
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port) || 80, hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const [one, other] of [
      [target, client],
      [client, target],
    ] as const) {
      one.on('error', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    silence: () => {
      isSilent = true;
    },
    connections: () => sockets.size,
    demand: (user) => {
      demanded = user;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
