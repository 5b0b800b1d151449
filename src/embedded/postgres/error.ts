/** Why an embedded PostgreSQL did not start. The message is for users. */
export type PostgresFailure =
  | 'in_use' // a running server uses the directory
  | 'wrong_version' // another major version created the directory
  | 'not_a_cluster' // the directory contains files that are not a database cluster
  | 'no_binaries' // no PostgreSQL that this machine and this account can execute
  | 'not_permitted' // the directory belongs to another user
  | 'failed'; // PostgreSQL failed; the message contains its output

/** The embedded PostgreSQL cannot be used. The message is for users and says what to do. */
export class PostgresError extends Error {
  readonly reason: PostgresFailure;

  constructor(reason: PostgresFailure, message: string) {
    super(message);
    this.name = 'PostgresError';
    this.reason = reason;
  }
}
