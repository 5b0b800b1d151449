import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Notices } from '../../database/listen.ts';
import { POSITION_CHANNEL } from './changes.ts';

/** How often the checkpoint is read while a command waits, in case a notification was missed. */
const LOOK_EVERY_MS = 250;

/** Resolves when the read models that commands wait for have reached a position. */
export type ReadPosition = Readonly<{
  /** Resolves to true once everything up to the position can be read, to false when it takes longer. */
  waitUntil: (position: bigint, timeoutMs: number) => Promise<boolean>;
  close: () => void;
}>;

type Waiter = { position: bigint; settle: (reached: boolean) => void };

/** `notices` listens to `CHANNELS`. Any number may wait: all are served by one notice, and by one query where none comes. */
export const createReadPosition = (notices: Notices, db: Database): ReadPosition => {
  const waiters = new Set<Waiter>();
  let known: bigint | null = null;
  let looking = false;
  let timer: NodeJS.Timeout | null = null;

  const reached = (position: bigint): void => {
    known = position;
    for (const waiter of waiters) if (waiter.position <= position) waiter.settle(true);
  };

  const look = async (): Promise<void> => {
    const { rows } = await sql<{ position: string | null }>`select position::text as position from read.checkpoint`.execute(db);
    const position = BigInt(rows[0]?.position ?? -1);
    if (known === null || position > known) reached(position);
  };

  const lookNow = (): void => {
    if (looking || waiters.size === 0) return;
    looking = true;
    const done = (): void => {
      looking = false;
      lookLater();
    };
    look().then(done, done); // the next query reports an unreachable database
  };

  const lookLater = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      lookNow();
    }, LOOK_EVERY_MS);
  };

  const stopListening = notices.on(POSITION_CHANNEL, (payload) => reached(BigInt(payload)));
  const stopGaps = notices.onGap(() => {
    known = null;
    lookNow();
  });

  return {
    waitUntil: (position, timeoutMs) => {
      if (known !== null && known >= position && notices.live()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          settle: (arrived) => {
            clearTimeout(expiry);
            waiters.delete(waiter);
            resolve(arrived);
          },
        };
        const expiry = setTimeout(() => waiter.settle(false), timeoutMs);
        waiters.add(waiter);
        if (known === null) lookNow();
        else lookLater();
      });
    },
    close: () => {
      stopListening();
      stopGaps();
      if (timer) clearTimeout(timer);
      for (const waiter of waiters) waiter.settle(false);
    },
  };
};
