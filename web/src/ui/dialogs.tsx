import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { notify } from './notify.ts';

/** One dialog's life: mounted while it is open and while it leaves. */
export type DialogState = {
  isOpen: boolean;
  isMounted: boolean;
  open: () => void;
  close: () => void;
  /** The last of its animation is over. */
  exited: () => void;
};

type Phase = 'gone' | 'open' | 'leaving';

export const useDialog = (isInitiallyOpen = false): DialogState => {
  const [phase, setPhase] = useState<Phase>(isInitiallyOpen ? 'open' : 'gone');
  return useMemo(
    () => ({
      isOpen: phase === 'open',
      isMounted: phase !== 'gone',
      open: () => setPhase('open'),
      close: () => setPhase((current) => (current === 'open' ? 'leaving' : current)),
      exited: () => setPhase('gone'),
    }),
    [phase],
  );
};

type WithDialog = { dialog: DialogState };

const NOT_LOADED = "You're offline. Try again when you're connected.";

/**
 * A dialog whose code, and its form's and validation's, is fetched on intent: call `preload` on hover and focus. What
 * cannot be fetched is said, and tried again the next time.
 */
export const lazyDialog = <Props extends WithDialog>(load: () => Promise<ComponentType<Props>>) => {
  let loaded: ComponentType<Props> | undefined;
  const preload = async (): Promise<void> => {
    loaded ??= await load();
  };
  const LazyDialog = (props: Props) => {
    const { isMounted, exited } = props.dialog;
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (!isMounted) return;
      preload().then(
        () => setLoaded(true),
        () => {
          exited();
          notify.error(NOT_LOADED);
        },
      );
    }, [isMounted, exited]);
    // Read when drawing, so that what was fetched on intent is drawn at once.
    const Component = loaded;
    return isMounted && Component ? <Component {...props} /> : null;
  };
  return Object.assign(LazyDialog, { preload: () => void preload().catch(() => undefined) });
};
