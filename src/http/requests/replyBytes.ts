/** In characters. Node copies a longer text to put the headers before it, and encodes the copy more slowly than a Buffer is made. */
const LONG_TEXT = 16_384;
/** A list of fewer elements is made into text with the rest of the reply. */
const LONG_LIST = 20;
/** The most bytes that a character of a text (a UTF-16 unit) has in UTF-8. */
const BYTES_A_CHARACTER = 3;
/** In bytes. What is kept for the next reply. */
const KEPT_BYTES = 4_194_304;

let space: Buffer = Buffer.allocUnsafeSlow(262_144);

/** With `used` of its bytes and space for so many more. */
const withSpace = (bytes: Buffer, used: number, more: number): Buffer => {
  if (used + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(2 * (used + more));
  bytes.copy(larger, 0, 0, used);
  return larger;
};

const isLongList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length >= LONG_LIST;

/** The texts that together are `JSON.stringify` of an object with a long list: one for each element of such a list. */
function* piecesOf(reply: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(reply)) {
    const start = `${before}${JSON.stringify(name)}:`;
    if (isLongList(value)) {
      let separator = `${start}[`;
      for (const element of value) {
        yield separator + (JSON.stringify(element) ?? 'null');
        separator = ',';
      }
      yield ']';
    } else {
      const text: string | undefined = JSON.stringify(value);
      if (text === undefined) continue;
      yield start + text;
    }
    before = ',';
  }
  yield '}';
}

const textOrBytes = (text: string): string | Buffer => (text.length > LONG_TEXT ? Buffer.from(text) : text);

/**
 * `JSON.stringify` of a reply, as bytes if it is long. V8 makes a long text of parts, joins them in a copy and encodes that, which takes three
 * times as long as writing the elements of a list one after the other.
 */
export const replyBytes = (reply: unknown): string | Buffer => {
  const isObject = typeof reply === 'object' && reply !== null && !Array.isArray(reply);
  if (!isObject || !Object.values(reply).some(isLongList)) return textOrBytes(JSON.stringify(reply));
  let bytes = space;
  let used = 0;
  for (const piece of piecesOf(reply)) {
    bytes = withSpace(bytes, used, piece.length * BYTES_A_CHARACTER);
    used += bytes.write(piece, used);
  }
  if (bytes.length <= KEPT_BYTES) space = bytes;
  return Buffer.from(bytes.subarray(0, used));
};
