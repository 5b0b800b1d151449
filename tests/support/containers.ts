import { randomBytes } from 'node:crypto';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import type { RunningStores } from './sharedStores.ts';

const EVENT_STORE_IMAGE = 'eventstore/eventstore:24.10';
const POSTGRES_IMAGE = 'postgres:17';

const startEventStore = () =>
  new GenericContainer(EVENT_STORE_IMAGE)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start();

const startPostgres = (password: string) =>
  new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2)) // the first is that of its set-up
    .start();

/** EventStoreDB and PostgreSQL in containers, in memory. Throws with the missing part if no container engine is available. */
export const startContainers = async (): Promise<RunningStores> => {
  await getContainerRuntimeClient().catch((error: Error) => {
    throw new Error(
      `TEST_STORES=containers wants a Docker engine and none answers (${error.message}): start one, or leave TEST_STORES out.`,
    );
  });
  const password = randomBytes(16).toString('hex');
  const started = await Promise.allSettled([startEventStore(), startPostgres(password)]);
  const close = async () => {
    for (const outcome of started) if (outcome.status === 'fulfilled') await outcome.value.stop();
  };
  const [eventStore, postgres] = started;
  if (eventStore.status === 'rejected' || postgres.status === 'rejected') {
    await close();
    throw eventStore.status === 'rejected' ? eventStore.reason : (postgres as PromiseRejectedResult).reason;
  }
  const [events, database] = [eventStore.value, postgres.value];
  return {
    stores: {
      adminUrl: `postgres://postgres:${password}@${database.getHost()}:${database.getMappedPort(5432)}/postgres`,
      template: null,
      eventStoreUrl: `esdb://${events.getHost()}:${events.getMappedPort(2113)}?tls=false`,
    },
    label: `${POSTGRES_IMAGE} and ${EVENT_STORE_IMAGE} in containers`,
    close,
  };
};
