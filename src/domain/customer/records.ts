/**
 * What a company keeps about a customer for itself. The customer never sees it. Texts are null and `tags` is empty where there are none;
 * `customFields` is the JSON of an object.
 */
export type CustomerRecords = Readonly<{
  /** The id in another system, of which each customer of a service integrator has its own. */
  externalId: string | null;
  /** In lower case and in order, each once. */
  tags: readonly string[];
  notes: string | null;
  customFields: string | null;
}>;

/** The records of a customer about whom nothing was recorded. */
export const NO_RECORDS: CustomerRecords = { externalId: null, tags: [], notes: null, customFields: null };

/** Tags in the order in which they are stored. */
export const orderedTags = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();

/** Whether two records have the same values. Both must have their tags in stored order. */
export const isSameRecords = (one: CustomerRecords, other: CustomerRecords): boolean =>
  one.externalId === other.externalId &&
  one.notes === other.notes &&
  one.customFields === other.customFields &&
  one.tags.join('\n') === other.tags.join('\n');

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, inOrder(field)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
};

/** Custom fields as they are stored: equal objects have equal texts, whatever the order of their fields. Null without any. */
export const customFieldsText = (fields: Readonly<Record<string, unknown>> | null): string | null =>
  fields === null || Object.keys(fields).length === 0 ? null : JSON.stringify(inOrder(fields));
