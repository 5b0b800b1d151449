import { guardedBytes, type Reach } from './guardedGet.ts';

/** The maximum size of a logo. */
export const MAX_LOGO_BYTES = 256 * 1024;
/** URL shorteners and storage services redirect. */
const MAX_REDIRECTS = 3;

/** A picture with the type that its content has. */
export type Logo = Readonly<{ type: LogoType; body: Buffer }>;
export type LogoType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/svg+xml';

const SVG = /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>[]*>\s*)*<svg[\s>/]/i;
/** The part of a file that is searched for the root element. */
const SVG_HEAD_BYTES = 4_096;

/** Detects the image type from the content, ignoring Content-Type; null for anything that browsers do not display. */
export const logoTypeOf = (body: Buffer): LogoType | null => {
  const ascii = (from: number, to: number): string => body.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(4, 12) === 'ftypavif') return 'image/avif';
  return SVG.test(body.toString('utf8', 0, SVG_HEAD_BYTES)) ? 'image/svg+xml' : null;
};

/**
 * Fetches the image at an untrusted https URL; null if there is none. Each redirect is checked like the first URL: https, and public
 * or allowed by `reach`.
 */
export const fetchLogo = async (address: string, reach: Reach): Promise<Logo | null> => {
  let url = new URL(address);
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    if (url.protocol !== 'https:') return null;
    const fetched = await guardedBytes(url, { accept: 'image/*' }, { ...reach, maxBytes: MAX_LOGO_BYTES });
    if (!fetched.ok) return null;
    const { status, body, header } = fetched.answer;
    const location = header('location');
    if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url.href)) {
      url = new URL(location, url);
      continue;
    }
    const type = status === 200 ? logoTypeOf(body) : null;
    return type && { type, body };
  }
  return null;
};
