/** A week has a label per day; a longer range has about six labels, evenly spaced up to the newest day. */
const MOST_LABELS = 7;

/** The days with a label on the axis, of days oldest first. */
export const labelledDays = (days: readonly { day: string }[]): string[] => {
  const every = Math.ceil(days.length / MOST_LABELS);
  return days.filter((_day, at) => (days.length - 1 - at) % every === 0).map(({ day }) => day);
};
