/** What is built together, by one runner and in one schema. */
export const GROUPS = ['main', 'usage'] as const;
export type GroupName = (typeof GROUPS)[number];
