import { createPortal } from 'react-dom';
import { lazyPart } from '../lib/lazyScreen.tsx';

const ToastList = lazyPart(
  async () => (await import('./ToastList.tsx')).ToastList,
  () => null,
);

/**
 * Where toasts appear: a live region that is there from the start, so that they are spoken; what draws them is fetched as
 * soon as the first screen is drawn. It stands beside the page's root, since a dialog hides all of that from readers of the screen.
 */
export const Toasts = () =>
  createPortal(
    <section className="toasts" aria-label="Notifications (F8)" aria-live="polite">
      <ToastList />
    </section>,
    document.body,
  );
