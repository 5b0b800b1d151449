import { notify } from './notify.ts';
import { type Printable, readAllPages } from './readAllPages.ts';

/** Enough for all requests of a list on a busy server. */
const PRINT_WITHIN_MS = 60_000;
const RENDER_MS = 100;
/** Show a notice if loading takes longer. */
const SILENT_MS = 500;

const texts = {
  preparing: 'Loading all pages to print…',
  failed: 'Failed to load all pages, so nothing was printed. Try again.',
} as const;

const wait = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));

const expandAll = async (printables: ReadonlySet<Printable>): Promise<void> => {
  const until = performance.now() + PRINT_WITHIN_MS;
  let isComplete = false;
  do {
    await wait(RENDER_MS);
    const expanding = [...printables].flatMap(({ expand }) => expand?.(readAllPages) ?? []);
    await Promise.all(expanding);
    isComplete = expanding.length === 0 && document.querySelector('main [data-loading]') === null;
  } while (!isComplete && performance.now() < until);
};

/** Prints once everything is loaded and rendered. If a list fails to load, it says so and prints nothing. */
export const printWhole = async (printables: ReadonlySet<Printable>): Promise<void> => {
  const slow = window.setTimeout(() => notify.info(texts.preparing), SILENT_MS);
  try {
    await expandAll(printables);
  } catch {
    for (const { collapse } of printables) collapse();
    notify.error(texts.failed);
    return;
  } finally {
    window.clearTimeout(slow);
  }
  window.print();
};
