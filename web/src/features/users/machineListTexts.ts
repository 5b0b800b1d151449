/** Texts of the machines of a user. */
export const machineListTexts = {
  machines: 'Machines',
  machinesOf: (username: string): string => `Machines of ${username}`,
  machinesHint: 'This user can sign in with the command-line tool on these machines.',
  loading: 'Loading machines',
  none: 'No machines',
  noneHint: 'The first machine is approved automatically when the user signs in with the command-line tool.',
  mine: 'My machines',
  mineSub: 'The computers on which you use the command-line tool.',
  approvedMachines: 'Approved machines',
  approvedMachinesSub: 'You can sign in with the command-line tool on these machines.',
  noneOfMine: 'Run latchkey login on a computer to add it.',
  lastSeen: 'Last seen',
  since: (date: string): string => `Since ${date}`,
  rename: 'Rename',
  remove: 'Remove',
  close: 'Close',
} as const;
