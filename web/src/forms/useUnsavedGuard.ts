import { useEffect, useRef } from 'react';
import { interceptHistory } from '../lib/historyInterceptor.ts';

type Guard = {
  isModified: () => boolean;
  /** Asks whether to leave; `leave` continues the navigation. */
  ask: (leave: () => void) => void;
};

/** The router numbers the entries of the history. */
const indexNow = (): number => {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : 0;
};

/** The link that a click opens in this window. */
const followed = (event: MouseEvent): HTMLAnchorElement | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || !(event.target instanceof Element)) return null;
  const link = event.target.closest<HTMLAnchorElement>('a[href]');
  const isElsewhere = link?.target === '_blank' || link?.getAttribute('href')?.startsWith('#');
  return isElsewhere ? null : link;
};

/**
 * Asks before a modified form is left: by the browser's own question when the page is reloaded or closed, by `ask` when a link
 * is followed or the user goes back. The router gets the event of going back only after the user has confirmed it.
 */
export const useUnsavedGuard = (isActive: boolean, guard: Guard): void => {
  const latest = useRef(guard);
  useEffect(() => {
    latest.current = guard;
  });
  useEffect(() => {
    if (!isActive) return;
    const at = indexNow();
    let isReturning = false;
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (latest.current.isModified()) event.preventDefault();
    };
    const onPop = (event: PopStateEvent): void => {
      if (!isReturning && !latest.current.isModified()) return;
      event.stopImmediatePropagation();
      if (isReturning) {
        isReturning = false;
        return;
      }
      const distance = indexNow() - at || -1;
      isReturning = true;
      history.go(-distance);
      latest.current.ask(() => {
        stop();
        history.go(distance);
      });
    };
    const onClick = (event: MouseEvent): void => {
      const link = followed(event);
      if (!link || !latest.current.isModified()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      latest.current.ask(() => {
        stop();
        link.click();
      });
    };
    const stop = (): void => {
      window.removeEventListener('beforeunload', onUnload);
      release();
      document.removeEventListener('click', onClick, { capture: true });
    };
    window.addEventListener('beforeunload', onUnload);
    const release = interceptHistory(onPop);
    document.addEventListener('click', onClick, { capture: true });
    return stop;
  }, [isActive]);
};
