import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on the color mode, since the document's structure is the same in both. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

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

/** A check in the page itself: the screens have no frames, for which axe would open another page. */
const axe = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);

/** The violations that axe finds on the page in light mode, and those of color in dark mode: one line per finding. */
export const violations = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const mode of ['light', 'dark'] as const) {
    await setMode(page, mode);
    await settled(page);
    const { violations: wrong } = await (mode === 'light' ? axe(page).withTags(TAGS) : axe(page).withRules(COLOR_RULES)).analyze();
    for (const { id, nodes } of wrong) {
      for (const { target, failureSummary } of nodes) found.push(`${mode} ${id} at ${target.join(' ')}: ${failureSummary}`);
    }
  }
  return found;
};

/** How far the page is wider than the window, in px. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
