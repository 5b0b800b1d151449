/** What is built together, by one runner and in one schema. */
export const GROUPS = ['main', 'usage'] as const;
/** The name of a group of projections. */
export type GroupName = (typeof GROUPS)[number];
