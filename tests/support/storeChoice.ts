/** Whether a run uses one event store for all its test files, which then have to take turns. */
export const sharesOneEventStore = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.EVENTSTORE_URL) || env.TEST_STORES === 'containers';
