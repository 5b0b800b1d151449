/** The last millisecond of a day (yyyy-mm-dd) in UTC. */
export const endOfDay = (day: string): string => `${day}T23:59:59.999Z`;
