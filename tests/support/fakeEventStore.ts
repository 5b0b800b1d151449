import { randomUUID } from 'node:crypto';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import operations from '@eventstore/db-client/generated/operations_grpc_pb.js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages, { type BatchAppendReq, type BatchAppendResp, type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  Server as GrpcServer,
  type Metadata,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { supportedMethods } from '../../src/embedded/eventstore/service/cluster.ts';
import { type FakeEvent, failures, readEventOf, replies, sendError } from './fakeEventStoreMessages.ts';

type ReadCall = ServerWritableStream<ReadReq, Buffer>;
type AppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** What a call is answered with: an error ends it, `silence` never answers. Undefined lets the store answer. */
type Interception = ReturnType<(typeof failures)[keyof typeof failures]> | 'silence' | undefined;

/** Functions that a test replaces. */
type FakeScript = {
  /** `attempt` counts the appends of the server, from 1. */
  append: (
    request: BatchAppendReq,
    attempt: number,
    call: AppendCall,
  ) => Interception | BatchAppendResp | readonly BatchAppendResp[];
  read: (request: ReadReq, headers: Metadata) => Interception;
  /** Whether an append that the script answers is stored nevertheless. */
  storesAnswered: boolean;
  /** The clock of the store is this many ms ahead: it has passed earlier deadlines of appends, which the client's own methods send. */
  clockAheadMs: number;
  /** The members as gossip reports them, with the port of this node if none is given. */
  members: readonly { state: number; isAlive: boolean; port?: number }[];
};

/**
 * A scripted EventStoreDB: an event log in memory behind the gRPC services that the adapter calls. A script replaces single answers, by
 * which tests cause what a real cluster does rarely. Subscriptions are filtered by prefixes of stream names only.
 */
export type FakeEventStore = Readonly<{
  url: string;
  port: number;
  script: FakeScript;
  events: readonly FakeEvent[];
  /** Stores an event of another writer. */
  add: (stream: string, type: string, data: Buffer, metadata: Buffer) => void;
  /** Removes the oldest events, as a scavenge does. */
  removeFirst: (count: number) => void;
  subscriptions: () => number;
  /** How many calls append that the client has not ended. */
  appendCalls: () => number;
  /** Sends a message to all subscriptions. */
  send: (message: Buffer) => void;
  /** Ends all subscriptions with an error. */
  endSubscriptions: (error: ReturnType<(typeof failures)[keyof typeof failures]>) => void;
  close: () => Promise<void>;
}>;

type Subscription = { call: ReadCall; prefixes: readonly string[] };

const serialized = (response: { serializeBinary(): Uint8Array } | Buffer): Buffer =>
  Buffer.isBuffer(response) ? response : Buffer.from(response.serializeBinary());

const streamOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

/** Starts a fake on a loopback port; `port` 0 is any free one. */
export const openFakeEventStore = async ({ port = 0 }: { port?: number } = {}): Promise<FakeEventStore> => {
  const events: FakeEvent[] = [];
  const revisions = new Map<string, number>();
  const subscriptions = new Set<Subscription>();
  const appendCalls = new Set<AppendCall>();
  const script: FakeScript = {
    append: () => undefined,
    read: () => undefined,
    storesAnswered: false,
    clockAheadMs: 0,
    members: [{ state: gossip.MemberInfo.VNodeState.LEADER, isAlive: true }],
  };
  let attempts = 0;

  /** Encoded once: a resumed subscription sends events again that were not received. */
  const encoded = new Map<FakeEvent, Buffer>();
  const messageOf = (event: FakeEvent): Buffer => {
    const message = encoded.get(event) ?? readEventOf(event);
    encoded.set(event, message);
    return message;
  };

  const matches = ({ prefixes }: Pick<Subscription, 'prefixes'>, { stream }: FakeEvent): boolean =>
    prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));

  const put = (event: Pick<FakeEvent, 'id' | 'stream' | 'type' | 'data' | 'metadata'>): FakeEvent => {
    const revision = (revisions.get(event.stream) ?? -1) + 1;
    revisions.set(event.stream, revision);
    const stored = {
      ...event,
      revision,
      position: (events.at(-1)?.position ?? 0) + 100,
      created: Date.now() + script.clockAheadMs,
    };
    events.push(stored);
    for (const subscription of subscriptions) if (matches(subscription, stored)) subscription.call.write(messageOf(stored));
    return stored;
  };

  const store = (request: BatchAppendReq): BatchAppendResp => {
    const options = request.getOptions();
    const stream = streamOf(options?.getStreamIdentifier());
    const proposed = request.getProposedMessagesList();
    const revision = revisions.get(stream) ?? -1;
    const duplicate = events.find(({ id }) => id === proposed.at(-1)?.getId()?.getString());
    const fits = options?.hasAny() || (options?.hasNoStream() ? revision < 0 : Number(options?.getStreamPosition()) === revision);
    if (!duplicate && !fits) return replies.wrongExpectedVersion(request);
    const last = duplicate
      ? duplicate
      : proposed
          .map((event) =>
            put({
              id: event.getId()?.getString() ?? '',
              stream,
              type: event.getMetadataMap().get('type') ?? '',
              data: Buffer.from(event.getData_asU8()),
              metadata: Buffer.from(event.getCustomMetadata_asU8()),
            }),
          )
          .at(-1);
    return replies.success(request, last);
  };

  const isLate = (request: BatchAppendReq): boolean => {
    const deadline = request.getOptions()?.getDeadline();
    return deadline !== undefined && deadline.toDate().getTime() < Date.now() + script.clockAheadMs;
  };

  const batchAppend = (call: AppendCall): void => {
    appendCalls.add(call);
    for (const event of ['end', 'cancelled']) call.on(event, () => appendCalls.delete(call));
    call.on('error', () => undefined);
    call.on('end', () => call.end());
    call.on('data', (request: BatchAppendReq) => {
      attempts += 1;
      const answer = script.append(request, attempts, call);
      if (answer === undefined) return void call.write(isLate(request) ? replies.timeout(request) : store(request));
      if (script.storesAnswered) store(request);
      if (answer === 'silence') return undefined;
      if ('code' in answer) return sendError(call, answer);
      for (const reply of [answer].flat()) call.write(reply);
      return undefined;
    });
  };

  const subscribe = (call: ReadCall, options: ReadReq.Options): void => {
    const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? [];
    const after = Number(options.getAll()?.getPosition()?.getCommitPosition() ?? 0);
    const subscription = { call, prefixes };
    call.write(replies.confirmation());
    for (const event of events) if (event.position > after && matches(subscription, event)) call.write(messageOf(event));
    call.write(replies.caughtUp());
    subscriptions.add(subscription);
    call.on('cancelled', () => subscriptions.delete(subscription));
  };

  const readPage = (call: ReadCall, options: ReadReq.Options): void => {
    const stream = streamOf(options.getStream()?.getStreamIdentifier());
    const from = Number(options.getStream()?.getRevision() ?? 0);
    const found = options.hasStream() ? events.filter((event) => event.stream === stream) : [...events];
    if (options.hasStream() && found.length === 0) call.write(replies.streamNotFound(stream));
    const backwards = options.getReadDirection() === messages.ReadReq.Options.ReadDirection.BACKWARDS;
    const wanted = backwards ? found.reverse() : found.filter(({ revision }) => !options.hasStream() || revision >= from);
    for (const event of wanted.slice(0, Number(options.getCount()))) call.write(messageOf(event));
    call.end();
  };

  const read = (call: ReadCall): void => {
    call.on('error', () => undefined);
    const options = call.request.getOptions() ?? new messages.ReadReq.Options();
    const answer = script.read(call.request, call.metadata);
    if (answer === 'silence') return;
    if (answer) sendError(call, answer);
    else if (options.hasSubscription()) subscribe(call, options);
    else readPage(call, options);
  };

  const server = new GrpcServer();
  const { read: readMethod, batchAppend: appendMethod } = service.StreamsService;
  server.addService({ read: { ...readMethod, responseSerialize: serialized }, batchAppend: appendMethod }, { read, batchAppend });
  server.addService(serverFeatures.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, reply: (error: null, methods: ReturnType<typeof supportedMethods>) => void) =>
      reply(null, supportedMethods()),
  });
  server.addService(operations.OperationsService, {
    startScavenge: (_: unknown, reply: (error: ReturnType<typeof failures.accessDenied>) => void) => reply(failures.accessDenied()),
  });
  let bound = 0;
  server.addService(gossipService.GossipService, {
    read: (_: unknown, reply: (error: null, info: InstanceType<typeof gossip.ClusterInfo>) => void) => {
      const members = script.members.map(({ state, isAlive, port: own = bound }) =>
        new gossip.MemberInfo()
          .setInstanceId(new shared.UUID().setString(randomUUID()))
          .setState(state)
          .setIsAlive(isAlive)
          .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(own)),
      );
      reply(null, new gossip.ClusterInfo().setMembersList(members));
    },
  });
  bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, given) =>
      error ? reject(error) : resolve(given),
    );
  });

  return {
    url: `esdb://127.0.0.1:${bound}?tls=false`,
    port: bound,
    script,
    events,
    add: (stream, type, data, metadata) => void put({ id: randomUUID(), stream, type, data, metadata }),
    removeFirst: (count) => void events.splice(0, count),
    subscriptions: () => subscriptions.size,
    appendCalls: () => appendCalls.size,
    send: (message) => {
      for (const { call } of subscriptions) call.write(message);
    },
    endSubscriptions: (error) => {
      for (const subscription of subscriptions) {
        subscriptions.delete(subscription);
        sendError(subscription.call, error);
      }
    },
    close: async () => server.forceShutdown(),
  };
};
