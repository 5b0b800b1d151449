import { DAY_MS } from './time.ts';

const LENGTH = '2026-01-31T12:00:00.000Z'.length;
const DAY_LENGTH = '2026-01-31T'.length;
const SECOND_LENGTH = '2026-01-31T12:00:00.'.length;
const SECOND_MS = 1_000;
/** No instant begins with it. */
const NO_DAY = ' ';

const MILLISECONDS = Array.from({ length: SECOND_MS }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** The number of two digits at an index of `text`; 1,000 if they are no digits. */
const twoDigits = (text: string, index: number): number => {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1_000;
};

/** Milliseconds of the time of day in `2026-01-31T12:00:00.000Z`; NaN if it is invalid. */
const timeOfDay = (text: string): number => {
  const hours = twoDigits(text, 11);
  const minutes = twoDigits(text, 14);
  const seconds = twoDigits(text, 17);
  const hundredths = twoDigits(text, 20);
  const thousandths = text.charCodeAt(22) - 48;
  const isTime =
    hours < 24 &&
    minutes < 60 &&
    seconds < 60 &&
    hundredths < 100 &&
    thousandths >= 0 &&
    thousandths <= 9 &&
    text[13] === ':' &&
    text[16] === ':' &&
    text[19] === '.' &&
    text[23] === 'Z';
  return isTime ? ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS + hundredths * 10 + thousandths : Number.NaN;
};

/**
 * Reads and writes instants as `2026-01-31T12:00:00.000Z`. An instant of the same day (read) or of the same second (written) as the
 * one before is ten times as fast as with `Date`.
 */
export const createInstants = () => {
  let dayRead = NO_DAY;
  let startOfDay = 0;
  let secondWritten = '';
  let startOfSecond = Number.NaN;

  return {
    /** ms since 1970; NaN for any other format. */
    read: (text: string): number => {
      if (text.length !== LENGTH) return Number.NaN;
      if (text.startsWith(dayRead)) return startOfDay + timeOfDay(text);
      const ms = Date.parse(text);
      if (Number.isNaN(ms) || new Date(ms).toISOString() !== text) return Number.NaN;
      dayRead = text.slice(0, DAY_LENGTH);
      startOfDay = Math.floor(ms / DAY_MS) * DAY_MS;
      return ms;
    },
    /** Throws a RangeError if a Date cannot represent it. */
    write: (ms: number): string => {
      const within = ms - startOfSecond;
      const ending = within >= 0 && within < SECOND_MS ? MILLISECONDS[within] : undefined;
      if (ending !== undefined) return secondWritten + ending;
      const text = new Date(ms).toISOString();
      secondWritten = text.slice(0, SECOND_LENGTH);
      startOfSecond = Math.floor(ms / SECOND_MS) * SECOND_MS;
      return text;
    },
  };
};
