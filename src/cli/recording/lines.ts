import { isUtf8 } from 'node:buffer';

/** One line of input without the line feed. `text` is null if the line is too long or not UTF-8; `reason` says which. */
export type Line = Readonly<{ number: number; text: string; reason: null } | { number: number; text: null; reason: string }>;

const LINE_END = 10;
/** Four times the length of the longest valid call. */
const MAX_LINE_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** Splits a byte stream into numbered lines, and yields the lines of each chunk. Buffers at most one line. */
export async function* linesOf(input: AsyncIterable<unknown>): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Buffer[] = [];
  let size = 0;

  const add = (part: Buffer) => {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    number++;
    const bytes = Buffer.concat(parts);
    const tooLong = size > MAX_LINE_BYTES;
    parts = [];
    size = 0;
    if (tooLong) return { number, text: null, reason: `Longer than ${MAX_LINE_BYTES} bytes` };
    if (!isUtf8(bytes)) return { number, text: null, reason: 'Not UTF-8' };
    const text = bytes.toString();
    return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, reason: null };
  };

  for await (const piece of input) {
    const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      add(chunk.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    add(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [finish()];
}
