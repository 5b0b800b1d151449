const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

/** The texts of the automatic release of idle seats. */
export const idleReleaseTexts = {
  field: 'Release idle seats after (days)',
  hint: 'From 1 to 365 days without use of the tool or the portal. Leave it empty for never.',
  loadFailed: 'Failed to load the idle seats',
  loading: 'Looking for idle seats…',
  /** Who would lose the seat now, idle for the longest time first. */
  preview: (total: number, names: readonly string[], count: number): string => {
    if (total === 0) return `No seat has been idle for ${days(count)}.`;
    const more = total > names.length ? ` and ${total - names.length} more` : '';
    const who = total === 1 ? '1 seat would be released now' : `${total} seats would be released now`;
    return `${who}: ${names.join(', ')}${more}. The last administrator of the portal keeps the seat.`;
  },
} as const;
