import { useEffect, useSyncExternalStore } from 'react';
import type { Branding, BrandingReply } from '../../../src/contracts/branding.ts';
import { api } from '../api/client.ts';
import { createListeners } from '../lib/listeners.ts';

/** Shown until the server has returned the branding of this host. */
const plain: Branding = {
  productName: 'Latchkey',
  companyName: null,
  logoUrl: null,
  primaryColor: null,
  portalHost: 'portal.latchkey.example',
  keyPrefix: 'LK',
};

/** A first paint never waits longer than this for the branding. */
const TIMEOUT_MS = 400;
const CONTRAST_FLOOR = 4.5;

/** The brand of the host, and that of the signed-in service integrator, which covers it. */
let host = plain;
let current = plain;
const changes = createListeners();

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance of #RRGGBB, 0 to 1. */
const luminance = (hex: string): number => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

/** Sets the brand's color of solid buttons, with white or near-black text, whichever is readable. */
const paint = (primaryColor: string | null): void => {
  const { style } = document.documentElement;
  if (!primaryColor || !/^#[0-9a-f]{6}$/i.test(primaryColor)) {
    style.removeProperty('--chakra-colors-brand-solid');
    style.removeProperty('--chakra-colors-brand-contrast');
    return;
  }
  const onWhite = 1.05 / (luminance(primaryColor) + 0.05);
  style.setProperty('--chakra-colors-brand-solid', primaryColor);
  style.setProperty('--chakra-colors-brand-contrast', onWhite >= CONTRAST_FLOOR ? '#FFFFFF' : '#0A0E13');
};

const fetchBranding = async (): Promise<void> => {
  const { branding } = await api.get<BrandingReply>('/api/branding', { unauthorized: 'throw' });
  host = branding;
  cover(own);
};

/** The brand that a service integrator's own screens show. */
type OwnBrand = Readonly<{ companyName: string; primaryColor: string | null }>;

let own: OwnBrand | null = null;

const cover = (brand: OwnBrand | null): void => {
  own = brand;
  current = own ? { ...host, productName: own.companyName, primaryColor: own.primaryColor ?? host.primaryColor } : host;
  paint(current.primaryColor);
  changes.notify();
};

/** Shows the signed-in service integrator's name and color instead of the host's while the component is mounted; null for none. */
export const useOwnBrand = (companyName: string | null, primaryColor: string | null): void =>
  useEffect(() => {
    if (companyName === null) return;
    cover({ companyName, primaryColor });
    return () => cover(null);
  }, [companyName, primaryColor]);

let loading: Promise<void> | undefined;

/** Fetches the branding of this host once. Resolves after a short time in any case: the default branding is shown until then. */
export const loadBranding = (): Promise<void> => {
  loading ??= fetchBranding().catch(() => undefined);
  return Promise.race([loading, new Promise<void>((resolve) => window.setTimeout(resolve, TIMEOUT_MS))]);
};

/** The brand of this host; the product's own until the server has returned it. */
export const useBranding = (): Branding => useSyncExternalStore(changes.add, () => current);
