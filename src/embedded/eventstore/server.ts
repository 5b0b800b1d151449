import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type handleUnaryCall, Server, type ServerInterceptor } from '@grpc/grpc-js';
import type { Credentials, Network } from '../network.ts';
import { decodeBatchAppendRequests } from './codec/batchAppendRequest.ts';
import type { Log } from './log.ts';
import { append } from './service/append.ts';
import { authentication } from './service/authentication.ts';
import { batchAppend } from './service/batchAppend.ts';
import { clusterOf, supportedMethods } from './service/cluster.ts';
import { softDelete, tombstone } from './service/delete.ts';
import { openCalls } from './service/openCalls.ts';
import { read } from './service/read.ts';
import { startScavenge, stopScavenge } from './service/scavenge.ts';
import { DAILY, type Scavenging, scavengingOf } from './service/scavenging.ts';
import type { Service } from './service/service.ts';
import { OPERATIONS, UNSUPPORTED_SERVICES, unsupported } from './service/unsupported.ts';
import { openStore } from './storage/store.ts';
import { type Address, type Listen, listen } from './transport.ts';
import { within } from './within.ts';

export type EventStoreOptions = Readonly<{
  /** PostgreSQL 14 or newer; the server uses its schema `eventstore`. One server per database. */
  databaseUrl: string;
  /** Connects as the login that creates the tables; `databaseUrl` by default. */
  ownerUrl?: string;
  listen: Listen;
  /** Also listens here, for other nodes. With TLS, callers must present the credentials. */
  network?: Network & Readonly<{ credentials: Credentials }>;
  log: Log;
}>;

export type RunningEventStore = Readonly<{
  /** For `clientOf`, and over TCP also for `EventStoreDBClient.connectionString`. */
  connectionString: string;
  /** For other nodes, without credentials; null without `network`. */
  networkConnectionString: string | null;
  /** Rejects new calls, writes accepted appends, ends open calls and disconnects from PostgreSQL. */
  close: () => Promise<void>;
}>;

const MAX_APPEND_SIZE = 1 << 20;
const MAX_REQUEST_SIZE = 17 << 20;
const MAX_CONCURRENT_CALLS = 100_000;
const SHUTDOWN_TIMEOUT_MS = 1_000;

const asIs = (bytes: Buffer): Buffer => bytes;

const serve = (server: Server, service: Service, scavenging: Scavenging, address: () => Address): void => {
  const { read: readCall, batchAppend: batchAppendCall } = streams.StreamsService;
  server.addService(
    {
      ...streams.StreamsService,
      read: { ...readCall, responseSerialize: asIs },
      batchAppend: { ...batchAppendCall, requestDeserialize: decodeBatchAppendRequests, responseSerialize: asIs },
    },
    {
      append: append(service),
      batchAppend: batchAppend(service),
      delete: softDelete(service),
      read: read(service),
      tombstone: tombstone(service),
    },
  );
  const id = randomUUID();
  const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_, reply) => reply(null, supportedMethods());
  const gossipRead: handleUnaryCall<Empty, ClusterInfo> = (_, reply) => reply(null, clusterOf({ id, ...address() }, Date.now()));
  server.addService(serverFeatures.ServerFeaturesService, { getSupportedMethods });
  server.addService(gossip.GossipService, { read: gossipRead });
  server.addService(OPERATIONS, {
    ...unsupported(OPERATIONS),
    startScavenge: startScavenge(scavenging),
    stopScavenge: stopScavenge(scavenging),
  });
  for (const definition of UNSUPPORTED_SERVICES) server.addService(definition, unsupported(definition));
};

/** Flushes sent responses; disconnects clients that do not read within the timeout. */
const shutDown = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), SHUTDOWN_TIMEOUT_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Starts a server with the EventStoreDB protocol: streams, `$all`, catch-up subscriptions, scavenges.
 * Throws `StoreLocked` when another server uses the database, PostgreSQL's error, or the error of listening.
 */
export const startEventStore = async ({
  databaseUrl,
  ownerUrl,
  listen: where,
  network,
  log,
}: EventStoreOptions): Promise<RunningEventStore> => {
  const store = await openStore({ databaseUrl, ownerUrl: ownerUrl ?? databaseUrl }, log);
  const calls = openCalls();
  const scavenging = scavengingOf(store, log, DAILY);
  const servers: Server[] = [];
  /** A server for each listener, because only callers from the network need credentials. */
  const serveOn = async (where: Listen, interceptors: ServerInterceptor[]): Promise<Address> => {
    const server = new Server({
      'grpc.max_receive_message_length': MAX_REQUEST_SIZE,
      'grpc.max_send_message_length': -1,
      'grpc.max_concurrent_streams': MAX_CONCURRENT_CALLS,
      ...(interceptors.length > 0 && { interceptors }),
    });
    servers.push(server);
    let address: Address = { connectionString: '', host: 'localhost', port: 0 };
    serve(server, { store, calls, maxAppendSize: MAX_APPEND_SIZE, log }, scavenging, () => address);
    address = await listen(server, where);
    return address;
  };
  try {
    const local = await serveOn(where, []);
    const remote = network && (await serveOn(network, network.tls ? [authentication(network.credentials)] : []));
    const close = async (): Promise<void> => {
      await within(SHUTDOWN_TIMEOUT_MS, scavenging.close());
      await store.finishWriting();
      calls.end();
      await Promise.all(servers.map(shutDown));
      await store.close();
    };
    let closed: Promise<void> | undefined;
    return {
      connectionString: local.connectionString,
      networkConnectionString: remote?.connectionString ?? null,
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    for (const server of servers) server.forceShutdown();
    await scavenging.close();
    await store.close();
    throw error;
  }
};
