import type { Page } from 'playwright-core';
import { drawn } from './pages.ts';

/**
 * Texts of the page that are clipped without a title that has the full text, each with the element that clips it, and texts outside the
 * window. Texts for screen readers only and scrolling elements do not count as clipped.
 */
export const clippedTexts = async (page: Page): Promise<string[]> => {
  await drawn(page);
  return page.evaluate(() => {
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join('')}`;
    const isTiny = (element: Element): boolean => element.clientWidth <= 1 && element.clientHeight <= 1;
    const clips = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
    const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

    const cutBy = (rect: DOMRect, from: Element): string | null => {
      for (let at: Element | null = from; at !== null && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (isTiny(at) || style.visibility === 'hidden' || style.opacity === '0' || at.hasAttribute('title')) return null;
        if (scrolls(style.overflowX)) return null;
        const box = at.getBoundingClientRect();
        if (clips(style.overflowX) && (rect.right > box.right + 1 || rect.left < box.left - 1)) return nameOf(at);
        if (clips(style.overflowY) && rect.bottom > box.bottom + 2) return nameOf(at);
        if (style.position === 'fixed') break;
      }
      return rect.right > window.innerWidth + 1 ? 'the window' : null;
    };

    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: parent, textContent } = node;
      if (!parent || !textContent?.trim() || parent.closest('[aria-hidden=true], svg, option, script, style, noscript')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const cutter = rect.width > 0 && rect.height > 0 ? cutBy(rect, parent) : null;
        if (cutter) found.add(`${nameOf(parent)} “${textContent.trim().slice(0, 24)}” by ${cutter}`);
      }
    }
    return [...found];
  });
};
