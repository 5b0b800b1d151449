export const keyTexts = {
  cancel: 'Cancel',
  rotating: 'Rotating…',
  shownOnce: 'Copy it now and hand it on: it is shown here only once.',
  license: {
    rotate: 'Rotate license key',
    question: (name: string): string => `${name} gets a new license key.`,
    consequences: [
      'The old key stops working at once, and everybody signed in to the portal with it is signed out.',
      'Command-line tools are disconnected and have to sign in again with the new key.',
    ],
    failed: 'Failed to rotate the license key',
    issued: 'New license key',
    newKey: (name: string): string => `The new license key of ${name} is in force.`,
    copy: 'Copy new license key',
    done: 'Done',
  },
  master: {
    rotate: 'Rotate master license key',
    question: 'Your company gets a new master license key.',
    consequences: [
      'The old key stops working at once, and everybody signed in with it is signed out: you too.',
      'Programs that call the API with it have to sign in again with the new key.',
      'Your customers keep their own license keys.',
    ],
    failed: 'Failed to rotate the master license key',
    issued: 'New master license key',
    newKey: 'Your new master license key is in force, and your session has ended.',
    copy: 'Copy new master license key',
    done: 'Sign in again',
  },
} as const;
