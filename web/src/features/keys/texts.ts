const master = {
  rotate: 'Rotate master license key',
  failed: 'Failed to rotate the master license key',
  issued: 'New master license key',
  copy: 'Copy new master license key',
  programs: 'API clients that use the key must sign in again with the new key.',
} as const;

export const keyTexts = {
  cancel: 'Cancel',
  rotating: 'Rotating…',
  password: {
    label: 'Portal password',
    set: 'Set',
    notSet: 'Not set',
    reset: 'Reset password',
    title: 'Reset portal password',
    question: (name: string): string => `Reset the portal password of ${name}?`,
    consequence:
      'Until the customer sets a new password, the license key alone is enough to sign in to the portal. Command-line tools stay connected.',
    resetting: 'Resetting…',
    done: 'Portal password reset',
    failed: 'Failed to reset the portal password',
  },
  license: {
    rotate: 'Rotate license key',
    question: (name: string): string => `${name} gets a new license key.`,
    consequences: [
      'The old key stops working immediately, and portal sessions that signed in with it end.',
      'Command-line tools that signed in with it are disconnected and must sign in again with the new key.',
    ],
    failed: 'Failed to rotate the license key',
    issued: 'New license key',
    newKey: (name: string): string => `The new license key of ${name} is active.`,
    hint: 'Copy the key and send it to the customer. You can also find it in the customer details.',
    copy: 'Copy new license key',
    done: 'Done',
  },
  master: {
    ...master,
    question: 'Your company gets a new master license key.',
    consequences: [
      'The old key stops working immediately, and sessions that signed in with it end. You must sign in again.',
      master.programs,
      'Your customers keep their own license keys.',
    ],
    newKey: 'Your new master license key is active, and your session has ended.',
    hint: 'Copy the key now. You need it to sign in again.',
    done: 'Sign in again',
  },
  integrator: {
    ...master,
    question: (name: string): string => `${name} gets a new master license key.`,
    consequences: [
      'The old key stops working immediately, and sessions that signed in with it end.',
      master.programs,
      'Its customers keep their own license keys.',
    ],
    newKey: (name: string): string => `The new master license key of ${name} is active.`,
    hint: 'Copy the key and send it to the service integrator. You can also find it in the account details.',
    done: 'Done',
  },
} as const;
