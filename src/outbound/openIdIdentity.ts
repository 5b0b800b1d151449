import { memberOf } from './thirdParty.ts';

/** A user as the identity provider describes it. `email` is empty without one. */
export type Identity = Readonly<{
  /** The provider's own id of the user. */
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  /** Whether the provider reports a sign-in with several factors (RFC 8176). */
  hasSecondFactor: boolean;
  /** The values of a claim: the claim of this name, or the one that a path with dots leads to. */
  valuesOf: (claim: string) => readonly string[];
}>;

type Claims = Readonly<Record<string, unknown>>;

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Whether these claims say that the email address in them is verified; `xms_edov` is what Microsoft Entra ID calls it. */
const verifies = (claims: Claims, email: string): boolean => {
  const { email_verified: verified, xms_edov: edov } = claims;
  if (textOf(memberOf(claims, 'email')) !== email) return false;
  return verified === undefined ? isTrue(edov) || edov === 1 || edov === '1' : isTrue(verified);
};

const textsOf = (value: unknown): readonly string[] => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
};

const claimOf = (claims: Claims, name: string): unknown =>
  memberOf(claims, name) ?? name.split('.').reduce<unknown>((value, part) => memberOf(value, part), claims);

/** The ID token is signed, so its claims precede those of the user info endpoint. Only what names the same address verifies it. */
export const identityOf = (token: Claims & { sub: string }, userInfo: Claims): Identity => {
  const all: Claims = { ...userInfo, ...token };
  const email = textOf(memberOf(all, 'email'));
  const [beforeAt = ''] = email.split('@');
  return {
    subject: token.sub,
    email,
    isEmailVerified: verifies(token, email) || verifies(userInfo, email),
    name: textOf(memberOf(all, 'name')) || beforeAt,
    hasSecondFactor: textsOf(memberOf(token, 'amr')).includes('mfa'),
    valuesOf: (claim) => textsOf(claimOf(all, claim)),
  };
};
