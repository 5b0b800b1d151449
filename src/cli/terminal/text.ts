import { stripVTControlCharacters } from 'node:util';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that make a terminal show text in another order than it was written. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
/** What JSON leaves unescaped although a terminal obeys it. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text of somebody else made safe for a terminal: one line, no escape sequences, no control characters. */
export const plain = (text: string): string => stripVTControlCharacters(text).replace(CONTROL, ' ').replace(REORDERING, '').trim();

/** One line of JSON that is safe to show in a terminal. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

const numbers = new Intl.NumberFormat('en-US');

export const count = (value: number): string => numbers.format(value);

/** "1 call", "1,204 calls". */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** "3 s", "2 min", "1 h"; rounded up, so that waiting that long is enough. */
export const duration = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
};
