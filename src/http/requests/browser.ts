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

/** A User-Agent header as short text, as in `Chrome on Windows`: known names only, never what the client wrote. Null where none is known. */
export const browserOf = (userAgent: string | undefined): string | null => {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH);
  const browser = nameIn(BROWSERS, text);
  const system = nameIn(SYSTEMS, text);
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
};
