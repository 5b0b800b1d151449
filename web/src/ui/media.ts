import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 48rem)');

const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether the screen is wide enough for a table. Render the table or the list: with CSS that hides one, both are rendered. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

const BEFORE_PRINT = 'latchkey:print';
const PRINT_WITHIN_MS = 10_000;

/** Loads what is below the fold, and prints when nothing is loading any more. */
const printWhole = async (): Promise<void> => {
  window.dispatchEvent(new Event(BEFORE_PRINT));
  const until = performance.now() + PRINT_WITHIN_MS;
  do await new Promise((resolve) => window.setTimeout(resolve, 100));
  while (document.querySelector('main [data-loading]') && performance.now() < until);
  window.print();
};

// A browser prints what is rendered. Only the keyboard shortcut can wait; the menu prints what is loaded by then.
window.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void printWhole();
});

/** True once the element was near the viewport, so that content below the fold is loaded later. */
export const useSeen = <Target extends Element>(margin = '160px'): [RefObject<Target | null>, boolean] => {
  const ref = useRef<Target>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const target = ref.current;
    if (!target || seen) return;
    // A busy page gets several entries in one call, oldest first.
    const observer = new IntersectionObserver((changes) => changes.some(({ isIntersecting }) => isIntersecting) && setSeen(true), {
      rootMargin: margin,
    });
    observer.observe(target);
    const show = () => setSeen(true);
    window.addEventListener(BEFORE_PRINT, show);
    window.addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      window.removeEventListener(BEFORE_PRINT, show);
      window.removeEventListener('beforeprint', show);
    };
  }, [seen, margin]);
  return [ref, seen];
};

/** The time, in ms, read again every `everyMs`; for texts like '5s ago'. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
  return now;
};
