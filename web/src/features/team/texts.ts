import type { Role } from '../../../../src/domain/permissions.ts';

const roles = {
  owner: 'Owner',
  operator: 'Operator',
  manager: 'Manager',
  auditor: 'Auditor',
  admin: 'Admin',
  developer: 'Developer',
  stakeholder: 'Stakeholder',
} as const satisfies Record<Role, string>;

const ERASED =
  'can no longer sign in, and all sessions end. API tokens of this user stop working. The name and email address are erased, also in the history.';

/** The texts of named users and their sign-in policy. */
export const teamTexts = {
  activity: 'Activity',
  activitySub: {
    administration: 'Changes to the administration itself, with time and author.',
    integrator: 'Changes to your account, with time and author.',
    customer: 'Changes to your account, users and credentials, with time and author.',
  },
  titles: { administration: 'Team', integrator: 'Team', customer: 'Users and sign-in' },
  sub: {
    administration: 'Who administers this server, and how they sign in.',
    integrator: 'Who works for your company here, and how they sign in.',
    customer: 'Which of your users sign in to the portal by name, and how.',
  },
  members: 'Named users',
  membersSub: 'Each user signs in with their own account, and the history shows who did what.',
  table: 'Named users table',
  loading: 'Loading named users',
  loadFailed: 'Failed to load named users',
  none: 'No named users yet',
  noneHint: {
    administration:
      'Everyone with the admin key has full access, and the history cannot name them. Invite yourself as owner first, then others with the role that they need.',
    integrator:
      'Everyone with the master license key has full access, and the history cannot name them. Invite yourself as owner first, then others with the role that they need.',
    customer:
      'Everyone with the license key has full access, and the history cannot name them. Open Users, give yourself the role Admin, and invite yourself.',
  },
  noneReadOnly: 'An owner can invite named users.',
  inviteYourself: 'Invite yourself as owner',
  columns: { member: 'Name', role: 'Role', status: 'Status', secondFactor: 'Second factor', actions: 'Actions' },
  statuses: { joined: 'Joined', invited: 'Invited', expired: 'No valid invitation' },
  expires: 'Valid until',
  emails: {
    waiting: 'Sending the email…',
    delayed: 'The email is delayed. We keep trying.',
    failed: 'Email not delivered',
    failedHint: 'Correct the address, or send it again and copy the link.',
  },
  off: 'Off',
  factors: { none: 'None', oneTime: 'One-time passwords', passkey: 'Passkey', both: 'Passkey, one-time passwords' },
  roles,
  roleHints: {
    administration: {
      owner: 'May do everything, including named users, the sign-in policy and deletions.',
      operator: 'Manages service integrators, customers, users and keys. Cannot delete them or change named users.',
      auditor: 'Reads everything except keys. Changes nothing.',
    },
    integrator: {
      owner: 'May do everything, including named users, the sign-in policy, settings and the master license key.',
      manager: 'Manages customers, their users, themes and license keys. Cannot change settings or named users.',
      auditor: 'Reads everything except keys. Changes nothing.',
    },
    customer: {
      admin: 'May do everything in the portal.',
      developer: 'Uses the tool, and sees the own usage and machines.',
      stakeholder: 'Sees usage and dashboards. Changes nothing.',
    },
  },
  actionsOf: (action: string, name: string): string => `${action}: ${name}`,

  ownerOffer: 'You signed in with the admin key. Create your account, so that the history shows who did what.',
  createAccount: 'Create your account',
  createAccountDescription: 'You become the first owner. Then you choose how you sign in: with a passkey or a password.',
  continue: 'Continue',
  notNow: 'Not now',

  invite: 'Invite',
  inviteUsers: 'Invite users',
  inviteTitle: 'Invite a named user',
  inviteDescription: 'You get a link to send to the user. It is valid for 7 days and works once.',
  inviteSubmit: 'Create invitation',
  inviting: 'Creating…',
  inviteFailed: 'Failed to create the invitation',
  fields: { name: 'Name', email: 'Email address', role: 'Role' },

  linkTitle: 'Invitation link',
  linkHint: (name: string, email: string): string => `Send this link to ${name} (${email}).`,
  linkEmailed: (name: string, email: string): string =>
    `We are emailing this link to ${name} (${email}). You can also copy it and send it yourself.`,
  linkOnce: "Copy the link now. You won't be able to see it again.",
  copyLink: 'Copy link',
  done: 'Done',

  newLink: 'New link',
  sendAgain: 'Send again',
  creatingLink: 'Creating…',
  newLinkFailed: 'Failed to create a new link',

  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw invitation',
  withdrawQuestion: (name: string): string => `The link of ${name} stops working. You can invite this user again later.`,
  withdrawing: 'Withdrawing…',
  withdrawn: 'Invitation withdrawn',
  withdrawFailed: 'Failed to withdraw the invitation',

  edit: 'Edit',
  editTitle: 'Edit named user',
  editDescription: 'A new role ends the sessions of this user.',
  save: 'Save changes',
  saving: 'Saving…',
  saved: 'Named user updated',
  saveFailed: 'Failed to update the named user',

  signOut: 'Sign out',
  signOutTitle: 'Sign out everywhere',
  signOutQuestion: (name: string): string => `All sessions of ${name} end. The user can sign in again.`,
  signingOut: 'Signing out…',
  signedOut: 'Signed out everywhere',
  signOutFailed: 'Failed to end the sessions',

  remove: 'Remove',
  removeTitle: 'Remove named user',
  removeQuestion: {
    administration: (name: string): string => `${name} ${ERASED}`,
    integrator: (name: string): string => `${name} ${ERASED}`,
    customer: (name: string): string =>
      `${name} can no longer sign in by name, and these sessions end. API tokens of this user stop working. The user stays on the users screen.`,
  },
  removing: 'Removing…',
  removed: 'Named user removed',
  removeFailed: 'Failed to remove the named user',

  policy: 'Sign-in policy',
  policySub: 'How the named users and the key sign in.',
  keySignIn: {
    administration: 'Sign-in with the admin key',
    integrator: 'Sign-in with the master license key',
    customer: 'Sign-in with the license key',
  },
  keySignInHint:
    'Emergencies only: the key works, and each owner or admin is notified of every sign-in. Turn it off when two of them have a second factor.',
  keySignInValues: { allowed: 'Allowed', break_glass: 'Emergencies only', off: 'Off' },
  keyEmergencyTitle: 'Allow the key in emergencies only',
  keyEmergencyQuestion:
    'Sessions and programs that use the key are signed out. It can still sign in, and each owner or admin is notified of every sign-in.',
  keyEmergency: 'Emergencies only',
  savingPolicy: 'Saving…',
  keyOffTitle: 'Turn off sign-in with the key',
  keyOffQuestion: 'Nobody can sign in with the key until an owner allows it again. Sessions and programs that use it stop working.',
  keyOff: 'Turn off',
  turningOff: 'Turning off…',
  secondFactor: 'Require a second factor',
  secondFactorHint: 'Each named user then needs a passkey, or a code of an authenticator app, to sign in.',
  policySaved: 'Sign-in policy updated',
  policyFailed: 'Failed to update the sign-in policy',
  required: 'Required',
  notRequired: 'Not required',
} as const;
