export const machineTexts = {
  requests: 'Machines waiting for approval',
  exportedRequests: 'requests',
  requestsSub: 'Approve a machine only if it shows the same code.',
  wantsToSignIn: (username: string): string => `wants to sign in as ${username}`,
  code: 'Code',
  approve: 'Approve',
  approving: 'Approving…',
  reject: 'Reject',
  approved: (username: string): string => `The machine can now sign in as ${username}`,
  loadFailed: 'Failed to load machines',
  decideFailed: 'Failed to update the machine',
  of: (action: string, code: string): string => `${action} ${code}`,

  approval: 'Require approval for new machines',
  approvalHint:
    "A user's first machine is approved automatically. Further machines must be approved here, on one of the user's machines, or by your service integrator. Set a portal password: without one, anyone with the license key can sign in here. Open sessions stay open.",
  enforced: 'New machines need approval',
  relaxed: 'New machines no longer need approval',
  switchFailed: 'Failed to change machine approval',
} as const;
