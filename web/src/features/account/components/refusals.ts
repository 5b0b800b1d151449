import { isApiError } from '../../../api/error.ts';

const FIELD_OF = {
  wrong_own_password: 'currentPassword',
  wrong_own_passkey: 'assertion',
  passkey_expired: 'assertion',
  password_too_weak: 'newPassword',
  code_not_confirmed: 'code',
} as const;

type Field = (typeof FIELD_OF)[keyof typeof FIELD_OF];

const isKnown = (code: string): code is keyof typeof FIELD_OF => Object.hasOwn(FIELD_OF, code);

/** The field that a rejection belongs to, and its text; undefined for a rejection of the whole form. */
export const refusalAtField = (error: unknown): { field: Field; text: string } | undefined =>
  isApiError(error) && isKnown(error.code) ? { field: FIELD_OF[error.code], text: error.message } : undefined;
