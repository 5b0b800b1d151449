import { type ComponentType, Suspense, use, useMemo, useState } from 'react';

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

/** A dialog whose code, and its form's and validation's, is fetched on intent: call `preload` on hover and focus. */
export const lazyDialog = <Props extends WithDialog>(load: () => Promise<ComponentType<Props>>) => {
  let loading: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    loading ??= load();
    return loading;
  };
  const Loaded = (props: Props) => {
    const Component = use(preload());
    return <Component {...props} />;
  };
  const LazyDialog = (props: Props) =>
    props.dialog.isMounted ? (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  return Object.assign(LazyDialog, { preload: () => void preload() });
};
