import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, startTransition, use, useEffect, useState } from 'react';
import { matchPath } from 'react-router-dom';

export type ScreenAddress = { params: Readonly<Record<string, string | undefined>>; search: URLSearchParams };

/** What a screen's module offers: the screen, and how to fetch its data before it is drawn. */
export type ScreenModule = {
  Screen: ComponentType;
  prefetch?: (queries: QueryClient, address: ScreenAddress) => void;
};

export type LazyScreen = ComponentType & {
  preload: () => Promise<ScreenModule>;
};

/**
 * Like `lazy`, but once its code is there the screen is drawn at once: `lazy` suspends at least once even then, and
 * React holds a suspended fallback for 300 ms.
 */
export const lazyScreen = (load: () => Promise<ScreenModule>): LazyScreen => {
  let loaded: ScreenModule | undefined;
  let loading: Promise<ScreenModule> | undefined;
  let hasFailed = false;
  /** A failure is kept while it is drawn, since drawing again asks again; the next one who wants the screen tries anew. */
  const preload = (): Promise<ScreenModule> => {
    if (hasFailed || !loading) {
      hasFailed = false;
      loading = load();
      loading.then(
        (screen) => {
          loaded = screen;
        },
        () => {
          hasFailed = true;
        },
      );
    }
    return loading;
  };
  const Pending = () => {
    const { Screen } = use(loading ?? preload());
    return <Screen />;
  };
  const Chosen = () => {
    // Chosen once a mount: a later change of the component would throw its state away.
    const [choice] = useState(() => ({ Screen: loaded?.Screen ?? Pending }));
    return <choice.Screen />;
  };
  return Object.assign(Chosen, { preload });
};

/** A part that could not be fetched is tried again after this time. */
const AGAIN_AFTER_MS = 5000;

/** A heavy part of a screen, as a chart: a placeholder until its code is there, without suspending the screen. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>, Placeholder: ComponentType<Props>) => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    loading ??= load().then((component) => {
      loaded = component;
      return component;
    });
    return loading;
  };
  const Part = (props: Props) => {
    const [choice, setChoice] = useState(() => ({ Component: loaded }));
    useEffect(() => {
      if (choice.Component) return;
      let timer = 0;
      let isWanted = true;
      const fetchIt = () =>
        void preload().then(
          (Component) => isWanted && startTransition(() => setChoice({ Component })),
          () => {
            loading = undefined;
            if (isWanted) timer = window.setTimeout(fetchIt, AGAIN_AFTER_MS);
          },
        );
      fetchIt();
      return () => {
        isWanted = false;
        window.clearTimeout(timer);
      };
    }, [choice]);
    const Component = choice.Component ?? Placeholder;
    return <Component {...props} />;
  };
  return Object.assign(Part, { preload: () => void preload().catch(() => undefined) });
};

export type AreaScreen = {
  /** Below the area's root, in the router's language, as `customers/:customerId`. */
  path: string;
  screen: LazyScreen;
};

/** The screen that a path of the browser shows, and its parameters. */
export const screenAt = (root: string, screens: readonly AreaScreen[], pathname: string) => {
  for (const { path, screen } of screens) {
    const match = matchPath(path === '' ? root : `${root}/${path}`, pathname);
    if (match) return { screen, params: match.params };
  }
  return undefined;
};
