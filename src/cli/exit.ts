/** The exit codes of the commands, which are part of their interface; see docs/cli.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  refused: 4,
  unreachable: 5,
  /** The offline license has expired. */
  licenseExpired: 6,
  wrongMachine: 7,
  licenseForged: 8,
  clockRolledBack: 9,
  /** Of `entitled`. */
  notEntitled: 10,
  /** The monthly quota of API calls is used up; the calls are queued. */
  overQuota: 11,
} as const;

/** An exit code of the tool; docs/cli.md describes each. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
