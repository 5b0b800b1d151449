import type { OwnPasskey } from '../../../../src/contracts/passkeys.ts';

/** What a member can confirm a change of the own sign-in with here: a recent authentication only without a password and a passkey. */
export type Proof = 'password' | 'passkey' | 'recent';

/** What of a member confirms a change on this host. */
export const proofOf = (hasPassword: boolean, passkeys: readonly OwnPasskey[]): Proof => {
  if (hasPassword) return 'password';
  return passkeys.some(({ host }) => host === window.location.hostname) ? 'passkey' : 'recent';
};
