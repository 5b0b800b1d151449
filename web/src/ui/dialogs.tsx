import { Button, type ButtonProps } from '@chakra-ui/react';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { notify } from './notify.ts';

/** The state of one dialog: mounted while it is open and during its exit animation. */
export type DialogState = {
  isOpen: boolean;
  isMounted: boolean;
  open: () => void;
  close: () => void;
  /** Call when the exit animation has ended. */
  exited: () => void;
};

type Phase = 'gone' | 'open' | 'leaving';

/** The state of one dialog, closed unless `isInitiallyOpen`. Its functions stay the same. */
export const useDialog = (isInitiallyOpen = false): DialogState => {
  const [phase, setPhase] = useState<Phase>(isInitiallyOpen ? 'open' : 'gone');
  const [actions] = useState(() => ({
    open: () => setPhase('open'),
    close: () => setPhase((current) => (current === 'open' ? 'leaving' : current)),
    exited: () => setPhase('gone'),
  }));
  return useMemo(() => ({ isOpen: phase === 'open', isMounted: phase !== 'gone', ...actions }), [phase, actions]);
};

type WithDialog = { dialog: DialogState };

const NOT_LOADED = "You're offline. Try again when you're connected.";

/**
 * A dialog whose code, with its form and validation, is fetched on demand: call `preload` on hover and focus. A failure shows
 * a toast; the next attempt fetches again.
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
    // Read during render, so that a preloaded dialog appears immediately.
    const Component = loaded;
    return isMounted && Component ? <Component {...props} /> : null;
  };
  return Object.assign(LazyDialog, { preload: () => void preload().catch(() => undefined) });
};

type OpenDialogButtonProps = ButtonProps & {
  dialog: DialogState;
  /** That of the `lazyDialog`. */
  preload: () => void;
};

/** Opens a dialog, whose code is fetched as soon as the pointer or the focus is on the button. */
export const OpenDialogButton = ({ dialog, preload, ...props }: OpenDialogButtonProps) => (
  <Button variant="outline" aria-haspopup="dialog" onClick={dialog.open} onPointerEnter={preload} onFocus={preload} {...props} />
);
