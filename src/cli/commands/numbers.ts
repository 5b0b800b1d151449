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

/** The default waits for a server that does not reply, and for a busy one. */
export const UNANSWERED_S = 5;
export const BUSY_S = 60;

/** The `--timeout` option of commands that send calls. */
export const timeoutOption = (defaults: string): Option =>
  new Option('--timeout <seconds>', `longest wait for the server (default: ${defaults})`).argParser(secondsOption);
