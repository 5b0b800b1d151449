/** The texts of passkeys. */
export const passkeyTexts = {
  cancelled: 'No passkey was used. Try again when you are ready.',
  exists: 'This device has a passkey for your account here already.',
  unsuitable: 'This device cannot store a passkey that verifies you. Use another device or a security key.',
  failed: "The browser couldn't use a passkey",
  unsupported: 'This browser does not support passkeys. Use a current version of a common browser.',
  needsTls: 'Passkeys need https. Open the console by its https address.',
  needsName: 'Passkeys need a host name. Open the console by its name, not by its IP address.',
  onHost: (host: string): string => `A passkey signs you in on ${host} only, the address where you add it.`,
  /** The name of a passkey that its owner did not name. */
  unnamed: 'Passkey',
  or: 'or',
} as const;
