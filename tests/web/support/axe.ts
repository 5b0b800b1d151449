import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { IS_AT_LENGTH } from '../../support/tiers.ts';
import { drawn } from './pages.ts';

/** Half the size of the other build: each loaded page compiles it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A rule that axe runs only where it is named: users of speech control say the visible text. */
const LABEL_RULES = { 'label-content-name-mismatch': { enabled: true } };

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on the color mode, since the document's structure is the same in both. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

declare global {
  interface Window {
    axe: typeof axe;
  }
}

type ColorMode = 'light' | 'dark';

/**
 * Waits until no color transition runs, since a color would be measured in between. Checks repeatedly, because a changed inherited color
 * starts transitions of the elements that inherit it.
 */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const passing = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState !== 'finished' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        );
    for (let moving = passing(); moving.length > 0; moving = passing()) {
      await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
      await new Promise(requestAnimationFrame);
    }
  });

const setMode = (page: Page, mode: ColorMode): Promise<void> =>
  page.evaluate((to) => {
    document.documentElement.classList.remove('light', 'dark');
    document.documentElement.classList.add(to);
  }, mode);

/** Changes colors at once: the transitions of a thousand elements take most of a second. The policy allows sheets that scripts make. */
const withoutTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

/** Loads axe into the page once. The screens have no frames, so it runs in the page's own document only. */
const loadAxe = async (page: Page): Promise<void> => {
  await drawn(page);
  if (await page.evaluate(() => 'axe' in window)) return;
  await page.evaluate(SOURCE);
  await withoutTransitions(page);
};

/**
 * What axe finds wrong in the page as it is, or in its open dialog, since the screen below is hidden and checked without it: one line per
 * finding.
 */
const findingsOf = (page: Page, options: RunOptions): Promise<string[]> =>
  page.evaluate(async (given) => {
    const dialogs = document.querySelectorAll('[aria-modal=true][data-state=open]');
    const where = dialogs.length > 0 ? [...dialogs] : document;
    const { violations: wrong } = await window.axe.run(where, { ...given, resultTypes: ['violations'] });
    return wrong.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
  }, options);

/** The violations but those of color: for another window size of a page whose colors are checked. */
export const structureViolations = async (page: Page): Promise<string[]> => {
  await loadAxe(page);
  const rules = { ...LABEL_RULES, ...Object.fromEntries(COLOR_RULES.map((id) => [id, { enabled: false }])) };
  return findingsOf(page, { runOnly: { type: 'tag', values: TAGS }, rules });
};

/** The violations that axe finds on the page in light mode, and those of color in dark mode: one line per finding. */
export const violationsInBothModes = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  await loadAxe(page);
  for (const mode of ['light', 'dark'] as const) {
    await setMode(page, mode);
    await settled(page);
    const options: RunOptions =
      mode === 'light'
        ? { runOnly: { type: 'tag', values: TAGS }, rules: LABEL_RULES }
        : { runOnly: { type: 'rule', values: COLOR_RULES } };
    for (const finding of await findingsOf(page, options)) found.push(`${mode} ${finding}`);
  }
  return found;
};

/** The same in the mode of the page, for what has the colors of screens that are checked in both modes; in both at length. */
export const violations = async (page: Page): Promise<string[]> => {
  if (IS_AT_LENGTH) return violationsInBothModes(page);
  await loadAxe(page);
  await settled(page);
  return findingsOf(page, { runOnly: { type: 'tag', values: TAGS }, rules: LABEL_RULES });
};

/** How far the page is wider than the window, in px. */
export const overflow = async (page: Page): Promise<number> => {
  await drawn(page);
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
};

/** The tables of the page that are wider than their space, so that they scroll sideways. */
export const tooWideTables = async (page: Page): Promise<(string | null)[]> => {
  await drawn(page);
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=region]:has(> table)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((table) => table.getAttribute('aria-label')),
  );
};
