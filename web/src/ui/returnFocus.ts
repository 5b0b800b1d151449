import { useLayoutEffect } from 'react';

/** How long after a dialog has closed its opener may still disappear, such as with a row that a refetch removes. */
const WATCH_MS = 5000;

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]';
const REGION = 'main, section, [role="region"], [role="dialog"], [role="alertdialog"]';

/** One ancestor of an element: which child led to the element, and which of that child's focusable elements it was. */
type Step = Readonly<{ parent: Element; child: Element; at: number; ordinal: number }>;

/** Where an element was in the page, from the inside out. */
type Trail = Readonly<{ element: HTMLElement; steps: readonly Step[] }>;

const isFocusable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.matches(FOCUSABLE) &&
  element.tabIndex >= 0 &&
  element.getClientRects().length > 0 &&
  element.closest('[data-state="closed"][role], [inert]') === null;

const focusableIn = (element: Element): HTMLElement[] => [element, ...element.querySelectorAll('*')].filter(isFocusable);

const trailOf = (element: HTMLElement): Trail => {
  const steps: Step[] = [];
  let child: Element = element;
  for (let parent = child.parentElement; parent && parent !== document.body; child = parent, parent = child.parentElement)
    steps.push({ parent, child, at: [...parent.children].indexOf(child), ordinal: focusableIn(child).indexOf(element) });
  return { element, steps };
};

/** The same button of the next row, or else of the previous one; of what is no such row, the first. */
const besides = ({ parent, child, at, ordinal }: Step): HTMLElement | undefined => {
  const children = [...parent.children];
  for (const sibling of [...children.slice(at), ...children.slice(0, at).reverse()]) {
    const found = focusableIn(sibling);
    const isSuchRow = sibling !== child && sibling.tagName === child.tagName && !child.matches(REGION);
    if (found.length > 0) return (isSuchRow ? found[ordinal] : undefined) ?? found[0];
  }
  return undefined;
};

const headingOf = (region: Element): HTMLElement | null => {
  const heading = region.querySelector<HTMLElement>('h1, h2, h3');
  if (heading) heading.tabIndex = -1;
  return heading;
};

/** What gets the focus: the element, or what is nearest to where it was in its region, or else the region's heading. */
const nearest = ({ element, steps }: Trail): HTMLElement | null => {
  if (isFocusable(element) && element.isConnected) return element;
  for (const step of steps) {
    if (step.parent.getClientRects().length === 0) continue;
    const found = besides(step) ?? (step.parent.matches(REGION) ? headingOf(step.parent) : null);
    if (found) return found;
  }
  return null;
};

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Moves the focus on when the element that has it disappears, until the user does something. */
const watch = (opener: Trail): void => {
  let trail = opener;
  const move = (): void => {
    if (!isLost()) return;
    const next = nearest(trail);
    if (!next) return;
    trail = trailOf(next);
    next.focus();
  };
  const observer = new MutationObserver(move);
  const stop = (): void => {
    observer.disconnect();
    clearTimeout(timer);
    for (const type of ['pointerdown', 'keydown']) document.removeEventListener(type, stop, true);
  };
  const timer = setTimeout(stop, WATCH_MS);
  observer.observe(document.body, { childList: true, subtree: true });
  for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, stop, true);
};

/**
 * Keeps the focus in the page after a dialog: the dialog returns it to the button that opened it, but that may have disappeared with what
 * the dialog changed.
 */
export const useReturnFocus = (isOpen: boolean): void =>
  useLayoutEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || !(opener instanceof HTMLElement) || opener === document.body) return;
    const trail = trailOf(opener);
    return () => watch(trail);
  }, [isOpen]);
