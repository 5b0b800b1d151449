/** Functions that are called on each event of one kind. */
type Listeners<Argument> = {
  notify: (argument: Argument) => void;
  /** Returns what removes the listener again. */
  add: (listener: (argument: Argument) => void) => () => void;
};

/** Creates a set of functions to call on an event, without a first value and without replay. */
export const createListeners = <Argument = void>(): Listeners<Argument> => {
  const all = new Set<(argument: Argument) => void>();
  return {
    notify: (argument) => {
      for (const listener of all) listener(argument);
    },
    add: (listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
};
