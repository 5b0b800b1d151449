import type { Locator, Page } from 'playwright-core';
import { holdsFocus } from './console.ts';

const MOST_TABS = 60;

/** Presses Tab until an element has the focus. */
const tabTo = async (page: Page, element: Locator): Promise<void> => {
  await element.waitFor();
  const dialog = element.locator('xpath=ancestor::*[@role="dialog" or @role="alertdialog"][1]');
  if ((await dialog.count()) > 0) await holdsFocus(dialog);
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${element} is not reached by ${MOST_TABS} presses of Tab`);
};

/** Reaches an element by Tab and presses Enter. */
export const pressOn = async (page: Page, element: Locator): Promise<void> => {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
};

/** Reaches a field by Tab and types. */
export const typeInto = async (page: Page, element: Locator, text: string): Promise<void> => {
  await tabTo(page, element);
  await page.keyboard.type(text);
};
