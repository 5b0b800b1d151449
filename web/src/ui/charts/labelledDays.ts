/** A week has a label a day, what is longer about six labels, evenly spaced up to the newest day. */
const MOST_LABELS = 7;

/** The days of an axis that bear a label, of days oldest first. */
export const labelledDays = (days: readonly { day: string }[]): string[] => {
  const every = Math.ceil(days.length / MOST_LABELS);
  return days.filter((_day, at) => (days.length - 1 - at) % every === 0).map(({ day }) => day);
};
