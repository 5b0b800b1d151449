import { createPortal } from 'react-dom';
import { lazyComponent } from '../lib/lazyScreen.tsx';

const ToastList = lazyComponent(
  async () => (await import('./ToastList.tsx')).ToastList,
  () => null,
);

/**
 * Where toasts appear: a live region that exists from the start, so that screen readers announce them. The component that renders
 * them is fetched after the first screen. It is outside the page's root, which an open dialog hides from screen readers.
 */
export const Toasts = () =>
  createPortal(
    <section className="toasts" aria-label="Notifications (F8)" aria-live="polite">
      <ToastList />
    </section>,
    document.body,
  );
