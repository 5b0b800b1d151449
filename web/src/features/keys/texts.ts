const master = {
  rotate: 'Rotate master license key',
  failed: 'Failed to rotate the master license key',
  issued: 'New master license key',
  copy: 'Copy new master license key',
  programs: 'Programs that call the API with it have to sign in again with the new key.',
} as const;

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
    ...master,
    question: 'Your company gets a new master license key.',
    consequences: [
      'The old key stops working at once, and everybody signed in with it is signed out: you too.',
      master.programs,
      'Your customers keep their own license keys.',
    ],
    newKey: 'Your new master license key is in force, and your session has ended.',
    done: 'Sign in again',
  },
  integrator: {
    ...master,
    question: (name: string): string => `${name} gets a new master license key.`,
    consequences: [
      'The old key stops working at once, and everybody signed in with it is signed out.',
      master.programs,
      'Its customers keep their own license keys.',
    ],
    newKey: (name: string): string => `The new master license key of ${name} is in force.`,
    done: 'Done',
  },
} as const;
