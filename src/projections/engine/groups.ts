/** The groups of projections. Each has one runner and one schema. */
export const GROUPS = ['main', 'usage'] as const;
/** The name of a group of projections. */
export type GroupName = (typeof GROUPS)[number];
