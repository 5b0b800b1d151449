import { RE2JS } from 're2js';
import { invalidArgument } from './callError.ts';

const MAX_CHARACTERS = 1_000;
/** In instructions; a match takes time proportional to them and to the length of the text. */
const MAX_PROGRAM = 1_000;

const compile = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`The regular expression is not supported: ${reason}`);
  }
};

/**
 * Returns a function that searches a text for a match in linear time, which excludes backreferences and lookarounds.
 * Throws `invalidArgument` when the expression is not valid, not supported or too large.
 */
export const searchFor = (pattern: string): ((text: string) => boolean) => {
  if (pattern.length > MAX_CHARACTERS) throw invalidArgument(`A regular expression has at most ${MAX_CHARACTERS} characters`);
  const expression = compile(pattern);
  if (expression.programSize() > MAX_PROGRAM) throw invalidArgument('The repetitions of the regular expression are too large');
  return (text) => expression.test(text);
};
