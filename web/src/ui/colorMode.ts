import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners.ts';

export type ColorMode = 'light' | 'dark';

/** Read by the inline script of the page too, before the first paint. */
const STORAGE_KEY = 'color_mode';
const CANVAS = { light: '#F7F9FB', dark: '#0A0E13' } as const satisfies Record<ColorMode, string>;

const changes = createListeners();
const current = (): ColorMode => (document.documentElement.classList.contains('dark') ? 'dark' : 'light');

const apply = (mode: ColorMode): void => {
  const root = document.documentElement;
  root.classList.add('no-transition');
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  root.style.colorScheme = mode;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', CANVAS[mode]);
  changes.notify();
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('no-transition')));
};

/** Prints in light mode; the chosen mode returns afterwards. */
window.addEventListener('beforeprint', () => {
  const chosen = current();
  window.addEventListener('afterprint', () => apply(chosen), { once: true });
  apply('light');
});

const remember = (mode: ColorMode): void => {
  try {
    localStorage.setItem(STORAGE_KEY, mode);
  } catch {
    // If storage is denied, the choice lasts until the page is left.
  }
};

/** Keeps the chosen mode while `work` has the browser's storage cleared. */
export const keepingColorMode = async (work: () => Promise<unknown>): Promise<void> => {
  let isChosen = false;
  try {
    isChosen = localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    // If storage is denied, nothing was stored.
  }
  await work();
  if (isChosen) remember(current());
};

export const useColorMode = (): { mode: ColorMode; toggle: () => void } => {
  const mode = useSyncExternalStore(changes.add, current);
  const toggle = () => {
    const next = mode === 'dark' ? 'light' : 'dark';
    apply(next);
    remember(next);
  };
  return { mode, toggle };
};
