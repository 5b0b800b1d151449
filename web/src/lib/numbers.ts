/** Parses a whole number; 0 if the text is none. */
export const wholeNumber = (typed: string): number => {
  const value = Number.parseInt(typed, 10);
  return Number.isNaN(value) ? 0 : value;
};
