/** By which SIGUSR2 moves the clock of `eventStoreProcess.ts`: longer than a run of the model, which takes seconds. */
export const CLOCK_STEP_MS = 600_000;
