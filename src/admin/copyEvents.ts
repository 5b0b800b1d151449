import type { Config } from '../bootstrap/config.ts';
import { checkEventStore } from '../bootstrap/storeChecks.ts';
import { counted } from '../cli/terminal/text.ts';
import { STREAM_CATEGORIES } from '../domain/events.ts';
import { copyEvents } from '../eventstore/copy/copyEvents.ts';
import type { Print } from './commands.ts';
import { openEventStoreUrl } from './operator.ts';

/**
 * Copies all events to the event store at `to`: from the one at `from`, or else from that of the configuration. Throws
 * `StoreUnreachable`, `StoreMissing` or `CopyRefused`.
 */
export const copyAllEvents = async (
  config: Config,
  { from, to }: { from: string | undefined; to: string },
  print: Print,
  signal: AbortSignal,
): Promise<void> => {
  await checkEventStore(to, { name: '--to', appends: true });
  if (from !== undefined) await checkEventStore(from, { name: '--from' });
  const source = from === undefined ? await openEventStoreUrl(config) : { url: from, stop: async () => undefined };
  try {
    const events = await copyEvents({
      from: source.url,
      to,
      categories: STREAM_CATEGORIES,
      signal,
      onProgress: (copied) => print.progress(copied, 'events copied'),
    });
    print.result(
      { copied: events },
      `Copied ${counted(events, 'event')}. The target has every event up to the start of this copy.`,
    );
  } finally {
    await source.stop();
  }
};
