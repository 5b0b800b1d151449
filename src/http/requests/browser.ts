/** The longest User-Agent header that is read. */
const MAX_LENGTH = 500;

/** In this order, since most browsers also name those that they are compatible with. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\blatchkey\//, 'Latchkey'],
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];

/** Android names Linux too, and an iPhone Mac OS X. The command-line tool ends its header with the platform of Node.js. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b|\bwin32$/, 'Windows'],
  [/\bMacintosh\b|\bdarwin$/, 'macOS'],
  [/\bLinux\b|\blinux$/, 'Linux'],
];

const nameIn = (names: readonly (readonly [RegExp, string])[], text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** The operating system that a User-Agent header names, as in `Windows`; null where none is known. */
export const systemOf = (userAgent: string | undefined): string | null => nameIn(SYSTEMS, (userAgent ?? '').slice(0, MAX_LENGTH));

/** A User-Agent header as short text, as in `Chrome on Windows`: known names only, never what the client wrote. Null where none is known. */
export const browserOf = (userAgent: string | undefined): string | null => {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH);
  const browser = nameIn(BROWSERS, text);
  const system = systemOf(userAgent);
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
};

/** The system in a text of `browserOf`, as in `Windows`; null without one. */
export const systemIn = (browser: string | null): string | null => SYSTEMS.find(([, name]) => browser?.endsWith(name))?.[1] ?? null;
