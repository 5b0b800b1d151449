import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, startTransition, use, useEffect, useState } from 'react';
import { matchPath } from 'react-router-dom';

/** The parts of an address that select a screen's data. */
export type ScreenAddress = { params: Readonly<Record<string, string | undefined>>; search: URLSearchParams };

/** A screen, and what fetches its data before it is rendered. */
type ScreenModule = {
  Screen: ComponentType;
  prefetch?: (queries: QueryClient, address: ScreenAddress) => void;
};

/** A screen whose code is loaded on demand. `preload` loads it earlier and resolves to its module. */
export type LazyScreen = ComponentType & {
  preload: () => Promise<ScreenModule>;
};

/** For each screen whose code failed to load, what forgets that. */
const failures = new Set<() => void>();

/** Makes the screens whose code failed to load request it again when they are opened. */
export const forgetFailures = (): void => {
  for (const forget of failures) forget();
};

/**
 * Like `lazy`, but a screen whose code is loaded renders without suspending: `lazy` suspends at least once even then, and
 * React holds a suspended fallback for 300 ms.
 */
export const lazyScreen = (load: () => Promise<ScreenModule>): LazyScreen => {
  let loaded: ScreenModule | undefined;
  let loading: Promise<ScreenModule> | undefined;
  const forget = (): void => {
    failures.delete(forget);
    loading = undefined;
  };
  /** A failure is kept until it is shown, since each render calls this; the next preload tries again. */
  const preload = (): Promise<ScreenModule> => {
    if (failures.has(forget)) forget();
    if (!loading) {
      loading = load();
      loading.then(
        (screen) => {
          loaded = screen;
        },
        () => {
          failures.add(forget);
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
    // Chosen once per mount: a later change of the component would discard its state.
    const [choice] = useState(() => ({ Screen: loaded?.Screen ?? Pending }));
    return <choice.Screen />;
  };
  return Object.assign(Chosen, { preload });
};

/** Time until the next attempt to fetch a component. */
const RETRY_AFTER_MS = 5000;

/** A heavy component of a screen, such as a chart: a placeholder until its code is loaded, without suspending the screen. */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType<Props>,
) => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    loading ??= load().then((component) => {
      loaded = component;
      return component;
    });
    return loading;
  };
  const LazyComponent = (props: Props) => {
    const [choice, setChoice] = useState(() => ({ Component: loaded }));
    useEffect(() => {
      if (choice.Component) return;
      let timer = 0;
      let isMounted = true;
      const fetchIt = () =>
        void preload().then(
          (Component) => isMounted && startTransition(() => setChoice({ Component })),
          () => {
            loading = undefined;
            if (isMounted) timer = window.setTimeout(fetchIt, RETRY_AFTER_MS);
          },
        );
      fetchIt();
      return () => {
        isMounted = false;
        window.clearTimeout(timer);
      };
    }, [choice]);
    const Component = choice.Component ?? Placeholder;
    return <Component {...props} />;
  };
  return Object.assign(LazyComponent, { preload: () => void preload().catch(() => undefined) });
};

/** A route of an area. The first one of an area is also its index. */
export type AreaScreen = {
  /** The router's pattern below the area's root, as `customers/:customerId`. */
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
