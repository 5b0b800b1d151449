import protobuf from 'protobufjs/light.js';

const string = (id: number) => ({ type: 'string', id });
const bytes = (id: number) => ({ type: 'bytes', id });
const uint64 = (id: number) => ({ type: 'uint64', id });
const message = (type: string, id: number) => ({ type, id });
const strings = (id: number) => ({ keyType: 'string', type: 'string', id });

/**
 * The messages of EventStoreDB's `streams.proto` and `shared.proto` that are decoded for each event, with the fields that
 * the adapter uses; other fields are skipped. protobufjs compiles them to functions that take a fraction of the time of the client's
 * classes. Names are bytes in the protocol, and UUIDs may be two numbers, which the adapter never requests: only replies to appends have
 * them.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    UUID: { fields: { text: string(2) } },
    StreamIdentifier: { fields: { name: string(3) } },
    RecordedEvent: {
      fields: {
        id: message('UUID', 1),
        stream: message('StreamIdentifier', 2),
        revision: uint64(3),
        commit: uint64(5),
        properties: strings(6),
        metadata: bytes(7),
        data: bytes(8),
      },
    },
    ReadEvent: { fields: { event: message('RecordedEvent', 1) } },
    Checkpoint: { fields: { commit: uint64(1) } },
    AppendSuccess: { fields: { revision: uint64(1) } },
    AppendReply: { fields: { id: message('UUID', 1), success: message('AppendSuccess', 3) } },
  },
} as protobuf.INamespace);

/** In a `ReadResp`, field 1. */
export const ReadEvent = root.lookupType('ReadEvent');
/** In a `ReadResp`, field 3. */
export const ReadCheckpoint = root.lookupType('Checkpoint');
/** A `BatchAppendResp`. */
export const AppendReply = root.lookupType('AppendReply');
