import { createContext, use, useCallback, useMemo, useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** Whose preferences are used: the signed-in user of an area. Empty where nobody is signed in. */
export const PreferenceOwner = createContext('');

const PREFIX = 'preference.';

const changes = createListeners();
window.addEventListener('storage', () => changes.notify());

/** Used where the browser denies storage: the choice then lasts until the page is left. */
const memory = new Map<string, string>();

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
};

const write = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
};

/** The owner of a user's preferences. A short hash, so that the browser does not store who signed in. */
export const preferenceOwner = (...parts: readonly string[]): string => {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\n')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
};

const parsed = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * A choice that this browser remembers for the signed-in user, also after a sign-out. `accept` makes the value of what is stored, which
 * may be null, of an older version, or edited; keep the function outside the component.
 */
export const usePreference = <Value>(name: string, accept: (stored: unknown) => Value): [Value, (next: Value) => void] => {
  const key = `${PREFIX}${use(PreferenceOwner)}.${name}`;
  const text = useSyncExternalStore(changes.add, () => read(key));
  const value = useMemo(() => accept(parsed(text)), [accept, text]);
  const remember = useCallback(
    (next: Value) => {
      write(key, JSON.stringify(next));
      changes.notify();
    },
    [key],
  );
  return [value, remember];
};

/** Whether a choice is on; `fallback` while nothing was chosen. */
const acceptOn = (stored: unknown): boolean => stored !== false;

/** A choice that is on until it is turned off. */
export const useSwitchedOn = (name: string): [boolean, (isOn: boolean) => void] => usePreference(name, acceptOn);

const stored = (): [string, string][] => {
  try {
    return Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
};

/** Keeps all preferences while `work` has the browser's storage cleared. */
export const keepingPreferences = async (work: () => Promise<unknown>): Promise<void> => {
  const before = stored();
  await work();
  for (const [key, text] of before) write(key, text);
};
