/** Texts of the dialog that renames a machine, which is loaded on demand. */
export const renameMachineTexts = {
  title: 'Rename machine',
  done: 'Machine renamed',
  fields: { name: 'Name' },
  save: 'Save name',
  saving: 'Saving…',
  failed: 'Failed to rename the machine',
} as const;
