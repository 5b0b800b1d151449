import { type RawBuilder, sql } from 'kysely';
import type { Records } from '../../contracts/records.ts';
import type { CustomerRow } from '../../database/tables/customers.ts';
import { type CustomerRecords, NO_RECORDS } from '../../domain/customer/records.ts';

type RecordsRow = Pick<CustomerRow, 'external_id' | 'tags' | 'notes' | 'custom_fields'>;

const TAG_END = '\n';

/** The columns of a customer's records. */
export const recordsIn = ({ externalId, tags, notes, customFields }: CustomerRecords): RecordsRow => ({
  external_id: externalId,
  tags: tags.length === 0 ? null : tags.join(TAG_END),
  notes,
  custom_fields: customFields,
});

export const WITHOUT_RECORDS = recordsIn(NO_RECORDS);

/** The records of a row. */
export const recordsOf = (row: Readonly<RecordsRow>): CustomerRecords => ({
  externalId: row.external_id,
  tags: row.tags === null ? [] : row.tags.split(TAG_END),
  notes: row.notes,
  customFields: row.custom_fields,
});

/** The records as replies have them. Without a value there is no field. */
export const shownRecords = ({ externalId, tags, notes, customFields }: CustomerRecords): Records => ({
  ...(externalId !== null && { externalId }),
  ...(tags.length > 0 && { tags: [...tags] }),
  ...(notes !== null && { notes }),
  ...(customFields !== null && { customFields: JSON.parse(customFields) }),
});

/** Whether a row `c` of `read.customer` has each of the tags. */
export const hasTags = (tags: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(c.tags is not null and string_to_array(c.tags, e'\n') @> ${[...tags]}::text[])`;
