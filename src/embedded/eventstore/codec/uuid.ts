import {
  type Cursor,
  prependInt64,
  prependLength,
  prependString,
  readFields,
  readInt64,
  readMessage,
  readString,
  type Writer,
} from './protobuf.ts';

/** The two forms of `event_store.client.UUID`: text, or its halves as signed 64-bit integers. */
export type UuidForm = 'text' | 'structured';

/** The text of a UUID with these halves. */
export const uuidOfHalves = (most: bigint, least: bigint): string => {
  const digits = [most, least].map((half) => BigInt.asUintN(64, half).toString(16).padStart(16, '0')).join('');
  return [0, 8, 12, 16, 20].map((start, index, starts) => digits.slice(start, starts[index + 1])).join('-');
};

const halvesOf = (uuid: string): readonly [most: bigint, least: bigint] => {
  const digits = uuid.replaceAll('-', '');
  const half = (text: string): bigint => BigInt.asIntN(64, BigInt(`0x${text}`));
  return [half(digits.slice(0, 16)), half(digits.slice(16))];
};

/** Reads the fields of a UUID message in either form; '' when it has none. */
export const readUuidFields = (cursor: Cursor): string => {
  let uuid = '';
  readFields(cursor, (field, value) => {
    if (field === 2) uuid = readString(value);
    else if (field === 1) {
      let [most, least] = [0n, 0n];
      readMessage(value, (half, digits) => {
        if (half === 1) most = readInt64(digits);
        else if (half === 2) least = readInt64(digits);
        else return false;
        return true;
      });
      uuid = uuidOfHalves(most, least);
    } else return false;
    return true;
  });
  return uuid;
};

/** Prepends a field with a UUID message. */
export const prependUuid = (writer: Writer, field: number, uuid: string, form: UuidForm): void => {
  const end = writer.at;
  if (form === 'text') prependString(writer, 2, uuid);
  else {
    const [most, least] = halvesOf(uuid);
    prependInt64(writer, 2, least);
    prependInt64(writer, 1, most);
    prependLength(writer, 1, end);
  }
  prependLength(writer, field, end);
};
