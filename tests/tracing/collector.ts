import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector receives it by OTLP in JSON. */
export type ReceivedSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: readonly Readonly<{ key: string; value: object }>[];
}>;

/** A collector on loopback that keeps what it receives. */
export const startCollector = async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spans = (): ReceivedSpan[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ReceivedSpan[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Everything received, as it was sent. */
    text: () => bodies.join('\n'),
    spans,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
