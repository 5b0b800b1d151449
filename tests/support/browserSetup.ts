import { findChromium } from './chromium.ts';

/** Unpacks the browser once, before several workers would. They find out why it fails, where it does. */
export const setup = async (): Promise<void> => {
  await findChromium().catch(() => undefined);
};
