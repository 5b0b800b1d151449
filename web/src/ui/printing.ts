import type { Printable } from './readAllPages.ts';

const printables = new Set<Printable>();

/** Registers a part of the screen; returns what removes it again. */
export const addPrintable = (part: Printable): (() => void) => {
  printables.add(part);
  return () => void printables.delete(part);
};

/** On the window, before a print that waits: what is below the fold loads. */
export const BEFORE_PRINT = 'latchkey:print';

let running: Promise<void> | null = null;

const printOnce = async (): Promise<void> => {
  window.dispatchEvent(new Event(BEFORE_PRINT));
  const { printWhole } = await import('./printWhole.ts');
  await printWhole(printables);
};

/** Prints the screen with what is below the fold and with all pages of its lists. Failures are shown to the user. */
export const print = (): Promise<void> => {
  running ??= printOnce().finally(() => {
    running = null;
  });
  return running;
};

// A browser prints what is rendered. Only the shortcut and the action of the screen can wait; the browser's menu prints what is loaded.
window.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void print().catch(() => window.print());
});

window.addEventListener('afterprint', () => {
  for (const { collapse } of printables) collapse();
});
