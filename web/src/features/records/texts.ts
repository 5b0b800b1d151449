/** Texts of what a company keeps about a customer. */
export const recordsTexts = {
  title: 'Records',
  hint: 'Only administrators and the service integrator see them, not the customer.',
  none: 'No external ID, tags, notes or custom fields yet.',
  edit: 'Edit records',
  fields: { externalId: 'External ID', tags: 'Tags', notes: 'Notes', customFields: 'Custom fields' },
  hints: {
    externalId: 'The id in another system, such as your CRM. No other customer has it.',
    tags: 'Words with commas between them, such as eu, vip.',
    customFields: 'A JSON object such as {"contract": "A-17"}.',
  },
  save: 'Save records',
  saving: 'Saving…',
  saved: 'Records saved',
  saveFailed: 'Failed to save the records',
  filter: 'Filter by tag',
  withTag: (tag: string): string => `Tag: ${tag}`,
  customersWith: (tag: string): string => `Customers with the tag ${tag}`,
} as const;
