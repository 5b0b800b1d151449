import { createContext, useContext } from 'react';

/** Fetches what a path of the console needs before it is shown. Lower layers do not know the screens, so the app provides it. */
export type Preloader = {
  /** Code and data of the whole page: layout, screen, session and branding. Rejects when the code cannot be fetched. */
  page: (pathname: string, search: string) => Promise<void>;
  /** Code and data of the screen at a path, such as for a hovered link. */
  screen: (path: string) => Promise<void>;
  /** Whether there is a screen at a path. */
  hasScreen: (pathname: string) => boolean;
};

const nothing = (): Promise<void> => Promise.resolve();

/** The preloader of the app; without a provider it loads nothing. */
export const PreloaderContext = createContext<Preloader>({ page: nothing, screen: nothing, hasScreen: () => false });

/** The functions that load code and data of a screen before the user opens it, such as for a hovered link. */
export const usePreloader = (): Preloader => useContext(PreloaderContext);
