import { passkeyTexts as texts } from './texts.ts';

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/;

/** Why this page cannot use passkeys, as a sentence; null where it can. */
export const whyNoPasskeys = (): string | null => {
  if (!window.isSecureContext) return texts.needsTls;
  if (typeof window.PublicKeyCredential !== 'function') return texts.unsupported;
  return ADDRESS.test(window.location.hostname) ? texts.needsName : null;
};

const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iPhone or iPad'],
  [/Mac/, 'Mac'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const;

/** A name for a passkey of this device, which its owner can change. */
export const nameOfThisDevice = (): string =>
  SYSTEMS.find(([pattern]) => pattern.test(window.navigator.userAgent))?.[1] ?? texts.unnamed;
