import protobuf from 'google-protobuf';

const { Message } = protobuf;
const { bytesAsU8 } = Message;

/**
 * The client hands the JSON of an event to its protobuf library as base64, which decodes it in JavaScript, twice for each event:
 * a quarter of what an append costs. Node decodes it natively, with the same outcome.
 */
Message.bytesAsU8 = (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : bytesAsU8(value));
