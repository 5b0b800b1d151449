/** Calls are counted in the charts when they arrive, and listed by when they were made: some seconds earlier. */
const ARRIVAL_MS = 60_000;

/** The filters that list the calls that arrived in a step of a chart. */
export const arrivedIn = (at: number, stepMs: number) => ({
  from: new Date(at - ARRIVAL_MS).toISOString(),
  to: new Date(at + stepMs - 1).toISOString(),
});
