import { defineTable, nullable, text, timestamptz } from './defineTable.ts';

/** The keys that sign offline licenses and statements of usage. One of them is not retired. */
export const signingKeyTable = defineTable('auth.signing_key', {
  key: ['kid'],
  columns: {
    /** The thumbprint of the public key (RFC 7638). */
    kid: text(),
    /** 32 bytes in base64url. */
    public_key: text(),
    /** The envelope of the private key. */
    sealed: text(),
    created_at: timestamptz(),
    retired_at: nullable(timestamptz()),
    /** Until when what it signed is valid; null if it signed nothing. */
    signs_until: nullable(timestamptz()),
  },
});
