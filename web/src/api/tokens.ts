import type { Area } from '../areas.ts';

/** Keys of local storage. An administrator's session is a cookie that scripts cannot read. */
const storageKey = { admin: null, portal: 'customer_token', integrator: 'service_integrator_token' } as const satisfies Record<
  Area,
  string | null
>;

/** The key that older versions wrote for integrators: it is read and removed, never written. */
const LEGACY_INTEGRATOR_KEY = 'serviceIntegratorToken';

/** Whether a key of local storage is that of the area's token. */
export const isTokenOf = (area: Area, key: string | null): boolean => key !== null && key === storageKey[area];

/** The bearer token of an area; null if none is stored or storage is denied. */
export const readToken = (area: Area): string | null => {
  const key = storageKey[area];
  if (key === null) return null;
  try {
    return localStorage.getItem(key) ?? (area === 'integrator' ? localStorage.getItem(LEGACY_INTEGRATOR_KEY) : null);
  } catch {
    return null;
  }
};

/** Keeps the token of a sign-in in local storage, for all tabs. Throws if storage is denied. */
export const storeToken = (area: 'portal' | 'integrator', token: string): void => {
  localStorage.setItem(storageKey[area], token);
  if (area === 'integrator') localStorage.removeItem(LEGACY_INTEGRATOR_KEY);
};

/** Removes the token of an area. Other tabs notice and sign out. */
export const clearToken = (area: Area): void => {
  const key = storageKey[area];
  if (key === null) return;
  try {
    localStorage.removeItem(key);
    if (area === 'integrator') localStorage.removeItem(LEGACY_INTEGRATOR_KEY);
  } catch {
    // If storage is denied, nothing was stored.
  }
};

/** Removes the tokens of both areas that have one. */
export const clearTokens = (): void => {
  clearToken('portal');
  clearToken('integrator');
};
