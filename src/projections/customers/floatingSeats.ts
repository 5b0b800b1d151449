/** How floating developer seats are shown; nothing where they are named. `leased` are those that users hold. */
export const shownFloating = (
  minutes: number | null,
  leased: number,
): { floatingDeveloperMinutes?: number; leasedDeveloperSeats?: number } =>
  minutes === null ? {} : { floatingDeveloperMinutes: minutes, leasedDeveloperSeats: leased };
