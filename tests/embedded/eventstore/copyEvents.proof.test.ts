import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { CopyRefused } from '../../../src/eventstore/copy/target.ts';
import { failureOf } from '../../eventstore/support.ts';
import { compiledScript, startScript } from '../../support/scripts.ts';
import { newDirectory, start } from '../postgres/serverSupport.ts';
import { copy, expectEqual, fill, fillAlternating, openSource, openStore } from './copySupport.ts';

describe('a copy of an event store', () => {
  it('misses and repeats no event if it is interrupted repeatedly', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 6_000);
    for (const limit of [1, 700, 1_500]) {
      const interrupted = new AbortController();
      const onProgress = (events: number) => events >= limit && interrupted.abort(new Error('Interrupted'));
      await failureOf(copy(source, target, { signal: interrupted.signal, onProgress }));
    }
    await copy(source, target);
    await expectEqual(source, target);
  });

  it('has the order of the source if its process is killed repeatedly, and each event is of another stream', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fillAlternating(source.client, 6_000);
    const script = await compiledScript(new URL('copyProcess.ts', import.meta.url));
    for (const kill of [/^copied \d/, /^copied \d{3}/, /^copied \d{4}/]) {
      const copying = startScript(script, [source.url, target.url]);
      onTestFinished(() => copying.end('SIGKILL'));
      await copying.line(kill);
      await copying.end('SIGKILL');
    }
    const copying = startScript(script, [source.url, target.url]);
    const [, rest] = await copying.line(/^complete (\d+)/);
    await copying.end('SIGKILL');
    expect(Number(rest)).toBeLessThan(6_000);
    await expectEqual(source, target);
  });

  it("has no gap if the target's PostgreSQL is killed", async () => {
    const source = await openSource();
    const directory = await newDirectory();
    const postgres = await start(directory);
    const listen = { socketPath: join(directory, '../eventstore.sock') };
    const store = await startEventStore({ databaseUrl: postgres.url('kept', 'superuser'), listen, log: () => undefined });
    onTestFinished(store.close);
    const client = clientOf(store.connectionString);
    onTestFinished(() => closeClient(client));
    await fill(source.client, 5_000);
    const target = { store, url: store.connectionString, client };
    let restarted: Promise<unknown> | undefined;
    const kill = (): void => {
      if (restarted) return;
      process.kill(postgres.pid, 'SIGKILL');
      restarted = start(directory);
    };
    // An operator repeats a copy that gave up.
    for (let isWhole = false; !isWhole; ) {
      const failure: unknown = await copy(source, target, { onProgress: kill }).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure instanceof CopyRefused) throw failure;
      isWhole = failure === null;
    }
    await restarted;
    await expectEqual(source, target);
  });
});
