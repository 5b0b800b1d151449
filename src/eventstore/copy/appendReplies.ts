import streams, { type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import protobuf from 'protobufjs/light.js';
import { hexOf, replyKeyOf } from '../appendRpc.ts';
import { AppendReply } from '../protobufMessages.ts';
import { bigintOf, type Long } from '../readResponse.ts';

/** The reply to the append with that `replyKeyOf`: the revision of its last event, or whatever else the store replied. */
export type Reply = Readonly<{ key: string }> & (Readonly<{ revision: bigint }> | Readonly<{ other: BatchAppendResp }>);

const LENGTH_DELIMITED = 2;
const WIRE_TYPE = 7;
const CORRELATION_ID = (1 << 3) | LENGTH_DELIMITED;

const replyOf = (bytes: Buffer): Reply => {
  const { id, success } = AppendReply.decode(bytes) as protobuf.Message & {
    id: { text: string } | null;
    success: { revision: Long } | null;
  };
  if (success && id && id.text !== '') return { key: replyKeyOf(id.text), revision: bigintOf(success.revision) };
  const other = streams.BatchAppendResp.deserializeBinary(bytes);
  return { key: hexOf(other.getCorrelationId()), other };
};

/** Decodes a message with one reply, or with several concatenated ones, each of which begins with its correlation id. */
export const repliesIn = (message: Buffer): Reply[] => {
  const replies: Reply[] = [];
  const reader = protobuf.Reader.create(message);
  let start = 0;
  while (reader.pos < reader.len) {
    const at = reader.pos;
    const tag = reader.uint32();
    if (tag === CORRELATION_ID && at > start) {
      replies.push(replyOf(message.subarray(start, at)));
      start = at;
    }
    reader.skipType(tag & WIRE_TYPE);
  }
  replies.push(replyOf(message.subarray(start)));
  return replies;
};
