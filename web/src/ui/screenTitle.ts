import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners.ts';

/** What a screen is a part of, such as a customer: its name, and the address of its own screen. */
export type ScreenOwner = Readonly<{ name: string; to: string }>;

type ScreenTitle = Readonly<{ title: string; owner: ScreenOwner | null }>;

let current: ScreenTitle = { title: '', owner: null };
const changes = createListeners();

/** Notes the title of the screen and what it is a part of, for the breadcrumbs above it. */
export const noteScreenTitle = (title: string, owner: ScreenOwner | null): void => {
  current = { title, owner };
  changes.notify();
};

/** The title of the screen, such as a customer's name; empty before the first screen. `owner` is null where it is not a part of another. */
export const useScreenTitle = (): ScreenTitle => useSyncExternalStore(changes.add, () => current);
