import { stripVTControlCharacters } from 'node:util';
import { durationText } from '../../domain/time.ts';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Bidirectional control characters, which change the displayed order of text, and lone surrogates. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
/** Characters that JSON does not escape but a terminal interprets. */
const INTERPRETED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Makes untrusted text safe for a terminal: one line without escape sequences and control characters. */
export const plain = (text: string): string => stripVTControlCharacters(text).replace(CONTROL, ' ').replace(REORDERING, '').trim();

/** One line of JSON that is safe to show in a terminal. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(INTERPRETED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

const numbers = new Intl.NumberFormat('en-US');

/** A number with separators of thousands, as 1,000. */
export const count = (value: number): string => numbers.format(value);

/** "1 call", "1,204 calls". */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** "3 s", "2 min", "3 h"; rounded up to whole seconds, because it is shown as a waiting time. */
export const duration = (ms: number): string => durationText(1_000 * Math.ceil(ms / 1_000));
