import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Characters that are evaluated: the estimate's time grows with the square of the length. */
const EVALUATED = 32;
/** zxcvbn's scores are 0 to 4; 3 stands for more than 10^8 guesses. */
const SUFFICIENT = 3;

/** Estimates whether a password is among the first 10^8 guesses of an attacker who knows the `context`. */
export type IsGuessable = (password: string, context: readonly string[]) => Promise<boolean>;

const MIN_WORD = 3;
/** Letters and digits that a password needs beside words of the context. */
const MIN_OWN = 4;

/** Each text, its words, and the text without its separators, as a license key is written without dashes. */
const wordsOf = (context: readonly string[]): string[] => [
  ...new Set(
    context.flatMap((text) => {
      const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return [text.toLowerCase(), words.join(''), ...words].filter((word) => word.length >= MIN_WORD);
    }),
  ),
];

/** Whether little is left of a password without the words of its context, the longest first. */
const isMadeOf = (password: string, words: readonly string[]): boolean => {
  const typed = password.toLowerCase();
  const own = [...words].sort((one, other) => other.length - one.length).reduce((rest, word) => rest.replaceAll(word, ' '), typed);
  return own !== typed && own.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_OWN;
};

/**
 * The check against lists of common passwords and words, offline. Lists and estimator (about 25 MB) are loaded with the first
 * password that is checked.
 */
export const createPasswordStrength = (): IsGuessable => {
  let loading: Promise<ZxcvbnFactory> | undefined;
  const load = async (): Promise<ZxcvbnFactory> => {
    const [core, { dictionary, adjacencyGraphs }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    return new core.ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: EVALUATED });
  };
  return async (password, context) => {
    const words = wordsOf(context);
    if (isMadeOf(password, words)) return true;
    loading ??= load();
    return (await loading).check(password, words).score < SUFFICIENT;
  };
};
