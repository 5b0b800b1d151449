import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners.ts';

let current = '';
const changes = createListeners();

/** Notes the title of the screen, for the breadcrumbs above it. */
export const noteScreenTitle = (title: string): void => {
  current = title;
  changes.notify();
};

/** The title of the screen, such as a customer's name; empty before the first screen. */
export const useScreenTitle = (): string => useSyncExternalStore(changes.add, () => current);
