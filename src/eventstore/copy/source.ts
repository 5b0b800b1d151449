import type { EventStoreDBClient } from '@eventstore/db-client';
import { clientInternals } from '../clientInternals.ts';
import type { StoredEvent } from '../decode.ts';
import type { Position } from '../port.ts';
import type { Response } from '../readResponse.ts';
import { openResponseSource } from '../responseSource.ts';

/** Yields the undecoded events of `$all` after a position, in batches, up to the newest one. Throws the reason when `signal` aborts. */
export async function* readToEnd(
  client: EventStoreDBClient,
  { after, prefixes, signal }: { after: Position | null; prefixes: readonly string[]; signal: AbortSignal },
): AsyncGenerator<readonly (StoredEvent & { position: { commit: Position } })[]> {
  if (!clientInternals(client)) throw new Error('This version of @eventstore/db-client cannot read events undecoded');
  let wake = (): void => undefined;
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  const source = await openResponseSource(client, { after, prefixes, requiresLeader: true }, () => wake());
  try {
    for (;;) {
      signal.throwIfAborted();
      const responses: readonly Response[] = source.take();
      if (responses.length === 0) {
        if (source.hasEnded()) throw source.failure() ?? new Error('The source ended the subscription');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      yield responses.flatMap((response) =>
        response.kind === 'event' && response.event.position ? [{ ...response.event, position: response.event.position }] : [],
      );
      if (responses.some(({ kind }) => kind === 'caughtUp')) return;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.cancel();
  }
}
