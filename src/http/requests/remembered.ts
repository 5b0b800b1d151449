/**
 * A number that is queried at most once in `ms`, and only while it is read; 0 until the first result. `now` is a clock in ms.
 */
export const rememberedNumber = (
  ask: () => Promise<number>,
  { ms, onError, now = () => performance.now() }: { ms: number; onError: (error: unknown) => void; now?: () => number },
): (() => number) => {
  let value = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - askedAt >= ms) {
      askedAt = now();
      ask().then((answer) => {
        value = answer;
      }, onError);
    }
    return value;
  };
};
