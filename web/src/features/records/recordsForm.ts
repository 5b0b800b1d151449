import type { Customer } from '../../../../src/contracts/customers.ts';

/** Values of the form for a new customer. */
export const newRecords = { externalId: '', tags: '', notes: '' };

/** Tags with commas between them, as a list. */
export const tagsIn = (typed: string): string[] =>
  typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The body of the request with the records that were entered. */
export const withRecords = <Values extends { tags: string }>({ tags, ...body }: Values) => ({ ...body, tags: tagsIn(tags) });

const INDENT = 2;

/** Custom fields as they are shown and edited. */
export const customFieldsText = (fields: Customer['customFields']): string =>
  fields === undefined ? '' : JSON.stringify(fields, null, INDENT);

/** What was typed as JSON; other text as it is, which the contract refuses. */
const customFieldsIn = (typed: string): unknown => {
  if (typed.trim() === '') return null;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
};

/** Values of the form for the records of a customer. */
export const recordsOf = ({ externalId = '', tags = [], notes = '', customFields }: Customer) => ({
  externalId,
  tags: tags.join(', '),
  notes,
  customFields: customFieldsText(customFields),
});

/** The body of the request, with the details that it requires. */
export const recordsBody =
  ({ name, contactEmail }: Customer) =>
  ({ customFields, ...typed }: ReturnType<typeof recordsOf>) => ({
    ...withRecords(typed),
    name,
    contactEmail,
    customFields: customFieldsIn(customFields),
  });
