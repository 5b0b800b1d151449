/** The filters that list the calls that arrived in a step of a chart: charts count calls when they arrive. */
export const arrivedIn = (at: number, stepMs: number) => ({
  receivedFrom: new Date(at).toISOString(),
  receivedTo: new Date(at + stepMs - 1).toISOString(),
});
