import { useEffect } from 'react';
import type { Area } from '../areas.ts';

/** The brand of a service integrator's frame; `color` as #RRGGBB. */
export type FrameBrand = Readonly<{ name: string; color: string | null }>;

/** What the frame of an area showed last: the addresses in its navigation, and the brand in place of the host's. */
export type RememberedFrame = Readonly<{ screens: readonly string[]; brand: FrameBrand | null }>;

/** Not a preference: a sign-out clears it with the other storage of the browser. */
const keyOf = (area: Area): string => `frame.${area}`;
const MAX_NAME = 200;

const brandIn = (stored: unknown): FrameBrand | null => {
  const { name, color } = (stored ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  return { name, color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : null };
};

/** The frame to show until the session is known; null if none is remembered. */
export const rememberedFrame = (area: Area): RememberedFrame | null => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(area)) ?? 'null');
    const { screens, brand } = (stored ?? {}) as Record<string, unknown>;
    if (!Array.isArray(screens)) return null;
    return { screens: screens.filter((one): one is string => typeof one === 'string'), brand: brandIn(brand) };
  } catch {
    return null;
  }
};

/** Forgets the frame of an area, whose session has ended. */
export const forgetFrame = (area: Area): void => {
  try {
    localStorage.removeItem(keyOf(area));
  } catch {
    // If storage is denied, nothing was stored.
  }
};

/** Remembers the frame of the signed-in session for the next visit. */
export const useRememberedFrame = (area: Area, items: readonly { to: string }[], brand: FrameBrand | null = null): void => {
  const text = JSON.stringify({ screens: items.map(({ to }) => to), brand } satisfies RememberedFrame);
  useEffect(() => {
    try {
      localStorage.setItem(keyOf(area), text);
    } catch {
      // Without storage the next visit shows the frame once the session is known.
    }
  }, [area, text]);
};
