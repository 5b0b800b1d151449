/** Why an embedded PostgreSQL could not be started; the message is one for people. */
export type PostgresFailure =
  | 'in_use' // a live server holds the directory
  | 'wrong_version' // the directory was made by another major version
  | 'not_a_cluster' // the directory holds something that is no database cluster
  | 'no_binaries' // no PostgreSQL that this machine and this account can execute
  | 'not_permitted' // the directory belongs to somebody else
  | 'failed'; // PostgreSQL itself refused; the message carries what it said

export class PostgresError extends Error {
  readonly reason: PostgresFailure;

  constructor(reason: PostgresFailure, message: string) {
    super(message);
    this.name = 'PostgresError';
    this.reason = reason;
  }
}
