export type AdminKeyTables = {
  /** At most one row; `hash` is argon2id. */
  'auth.admin_key': { id: boolean; hash: string };
  /** The same of the key that the environment gave last; no row where it gave none. */
  'auth.given_admin_key': { id: boolean; hash: string };
};
