import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { BEFORE_PRINT } from './printing.ts';

// Paper is narrower, but has space for a table.
const wide = window.matchMedia('(min-width: 48rem), print');

const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether the screen is wide enough for a table. Render the table or the list: with CSS that hides one, both are rendered. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

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
