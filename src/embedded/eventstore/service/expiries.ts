type Expiring = Readonly<{ deadline: number | undefined }>;

export type Expiries<Entry> = Readonly<{
  add: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  clear: () => void;
}>;

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const delayUntil = (deadline: number): number => Math.min(deadline - Date.now(), MAX_DELAY_MS);

/** Calls `expire` with each entry whose deadline, in ms since 1970, passes. One timer for all, because a timer for each costs more. */
export const expiriesOf = <Entry extends Expiring>(expire: (entry: Entry) => void): Expiries<Entry> => {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  const clearTimer = (): void => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };
  const wakeAt = (deadline: number): void => {
    if (deadline >= due) return;
    clearTimer();
    due = deadline;
    timer = setTimeout(check, delayUntil(deadline));
  };
  const check = (): void => {
    clearTimer();
    const now = Date.now();
    for (const entry of [...entries]) {
      const { deadline } = entry;
      if (deadline === undefined) continue;
      if (deadline > now) wakeAt(deadline);
      else if (entries.delete(entry)) expire(entry);
    }
  };
  return {
    add: (entry) => {
      if (entry.deadline === undefined) return;
      entries.add(entry);
      wakeAt(entry.deadline);
    },
    remove: (entry) => void entries.delete(entry),
    clear: () => {
      entries.clear();
      clearTimer();
    },
  };
};
