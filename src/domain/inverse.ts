/** `revert_unsupported`: such an event has no inverse. `revert_outdated`: later events changed the same again. */
export type NoInverse = 'revert_unsupported' | 'revert_outdated';

/** The former values of the fields that an event changed; null if one of them has another value now. */
export const restored = <Fields extends object>(before: Fields, after: Fields, now: Fields): Partial<Fields> | null => {
  const names = Object.keys(after) as (keyof Fields)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  if (changed.length === 0 || changed.some((name) => now[name] !== after[name])) return null;
  return Object.fromEntries(changed.map((name) => [name, before[name]])) as Partial<Fields>;
};
