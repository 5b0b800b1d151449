import { useSyncExternalStore } from 'react';

const paper = window.matchMedia('print');

const subscribe = (listener: () => void) => {
  paper.addEventListener('change', listener);
  return () => paper.removeEventListener('change', listener);
};

/** Whether the page is rendered for paper, from which nothing can be opened. */
export const useIsPaper = (): boolean => useSyncExternalStore(subscribe, () => paper.matches);
