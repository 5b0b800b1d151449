/** An auto-reset event for one waiter. */
export type Signal = Readonly<{
  raise: () => void;
  /** Resolves immediately if the signal was raised since the last wait, else when it is raised next. One waiter at a time. */
  raised: () => Promise<void>;
}>;

/** Creates a signal that is not raised. */
export const signal = (): Signal => {
  let isRaised = false;
  let wake: (() => void) | undefined;
  return {
    raise: () => {
      isRaised = true;
      wake?.();
    },
    raised: async () => {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRaised = false;
      wake = undefined;
    },
  };
};
