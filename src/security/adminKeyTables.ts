export type AdminKeyTables = {
  /** At most one row; `hash` is argon2id. */
  'auth.admin_key': { id: boolean; hash: string };
};
