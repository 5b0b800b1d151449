export const secondFactorTexts = {
  scan: 'Scan the QR code with your authenticator app, or enter the secret in the app.',
  qrCode: 'QR code of the secret',
  secret: 'Secret',
  copySecret: 'Copy secret',
  codesTitle: 'Recovery codes',
  codesHint:
    'Each code signs you in once if you lose your authenticator app. Store them in a safe place. You will not see them again.',
  copyCodes: 'Copy codes',
  downloadCodes: 'Download codes',
  copied: 'Copied',
  copyFailed: "Couldn't copy. Select the text and copy it manually.",
  fileName: 'latchkey-recovery-codes.txt',
  fileHead: (account: string): string => `Recovery codes of ${account}. Each one signs in once.`,
} as const;
