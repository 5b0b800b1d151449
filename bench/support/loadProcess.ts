import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { callsJson } from './calls.ts';
import { createConnection, requestOf } from './connection.ts';
import { quantile } from './figures.ts';
import type { Load, LoadResult } from './load.ts';

/** The number of different bodies; they are reused with other sequence numbers. */
const VARIANTS = 16;

const [load] = (await once(process, 'message')) as [Load];
const { url, path, sources, batch, seconds, warmUp, onRefusal = 'retry' } = load;
const report = (message: 'begin' | 'end' | LoadResult): void => void process.send?.(message);

const startedAt = Date.now();
const tails = Array.from({ length: VARIANTS }, (_, variant) =>
  Buffer.from(`,"calls":${callsJson(batch, { variant, until: startedAt })}}`),
);
const acknowledged = sources.map(() => 0);
let counted = 0;
let refused = 0;
let refusedCounted = 0;
let isCounting = false;
let isStopped = false;
let resolveStopped = (): void => undefined;
const stopped = new Promise<void>((resolve) => {
  resolveStopped = resolve;
});
const latencies: number[] = [];

/** Sends the calls of a source in order, and retries rejected requests. */
const record = async (index: number): Promise<void> => {
  const source = sources[index];
  if (!source) return;
  const connection = createConnection(url);
  const headers = { authorization: `Bearer ${source.token}`, 'content-type': 'application/json' };
  for (let sent = 0; !isStopped; ) {
    const head = Buffer.from(`{"sourceId":${JSON.stringify(source.sourceId)},"firstSequence":${sent * batch + 1}`);
    const tail = tails[(index + sent) % VARIANTS] ?? Buffer.alloc(0);
    const begun = performance.now();
    const { status, retryAfter, body } = await connection.send(
      requestOf(url, { path, headers, body: Buffer.concat([head, tail]) }),
    );
    if (status === 503 || status === 429) {
      refused += 1;
      if (isCounting) refusedCounted += 1;
      if (!(retryAfter > 0)) throw new Error(`Rejected without Retry-After: ${body}`);
      await Promise.race([delay(onRefusal === 'retry' ? 20 : retryAfter * 1000), stopped]);
      continue;
    }
    if (status !== 202) throw new Error(`Answered with ${status}: ${body}`);
    sent += 1;
    acknowledged[index] = sent * batch;
    if (!isCounting) continue;
    counted += 1;
    latencies.push(performance.now() - begun);
  }
  connection.close();
};

const all = Promise.all(sources.map((_, index) => record(index)));
await Promise.race([all, delay(warmUp * 1000)]);
isCounting = true;
report('begin');
const cpu = process.cpuUsage();
const begun = performance.now();
await Promise.race([all, delay(seconds * 1000)]);
isCounting = false;
const took = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
report('end');
isStopped = true;
resolveStopped();
await all;
report({
  acknowledged,
  callsPerSecond: (counted * batch) / took,
  requestsPerSecond: counted / took,
  latency: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  refused,
  refusedPerSecond: refusedCounted / took,
  cpuSeconds: (user + system) / 1e6,
  bytesPerCall: (tails[0]?.length ?? 0) / batch,
});
process.disconnect();
