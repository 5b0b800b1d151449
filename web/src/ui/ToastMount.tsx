import { lazy, Suspense, useEffect, useState } from 'react';
import { loadToaster, onToasterNeeded } from './notify.ts';

const Host = lazy(() => import('./ToastHost.tsx').then(({ ToastHost }) => ({ default: ToastHost })));

const whenIdle = (run: () => void): (() => void) => {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(run, 1500);
    return () => window.clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(run, { timeout: 4000 });
  return () => window.cancelIdleCallback(handle);
};

/** Mounts the toasts' host when there is time or need for it. */
export const ToastMount = () => {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const forget = onToasterNeeded(() => setNeeded(true));
    const cancel = whenIdle(() => void loadToaster());
    return () => {
      forget();
      cancel();
    };
  }, []);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <Host />
    </Suspense>
  );
};
