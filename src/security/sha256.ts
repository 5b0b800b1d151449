import { hash } from 'node:crypto';

/** The SHA-256 of a text in UTF-8 or of bytes, in hexadecimal. */
export const sha256Of = (content: string | Buffer): string => hash('sha256', content);
