import { InvalidArgumentError, Option } from 'commander';

const LONGEST_S = 86_400;

/** Parses the number of an option. */
export const numberOption = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Not a number.');
  return value;
};

/** Parses the seconds of an option, up to one day. */
export const secondsOption = (text: string): number => {
  const seconds = numberOption(text);
  if (seconds < 0 || seconds > LONGEST_S) throw new InvalidArgumentError(`Must be a number of seconds from 0 to ${LONGEST_S}.`);
  return seconds;
};

/** The `--timeout` option of all commands that send calls. */
export const timeoutOption = (): Option =>
  new Option('--timeout <seconds>', 'how long to retry when the server does not reply').argParser(secondsOption).default(5);
