/**
 * A value that is queried at most once in `ms`, and only while it is read; `initial` until the first result. `now` is a clock in ms.
 */
export const remembered = <T>(
  ask: () => Promise<T>,
  {
    initial,
    ms,
    onError,
    now = () => performance.now(),
  }: { initial: T; ms: number; onError: (error: unknown) => void; now?: () => number },
): (() => T) => {
  let value = initial;
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
