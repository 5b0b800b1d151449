/** A whole number as it is typed: what is none becomes 0. */
export const wholeNumber = (typed: string): number => {
  const value = Number.parseInt(typed, 10);
  return Number.isNaN(value) ? 0 : value;
};
