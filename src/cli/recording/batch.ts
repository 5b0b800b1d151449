import { MAX_CALLS } from '../../domain/limits.ts';
import { isGap, LINE_END } from './sourceSpool.ts';

/** Consecutive calls of one source, in the format of a segment. */
export type Batch = Readonly<{
  first: number;
  /** The number of lines in `lines`; 0 if there is nothing to send. */
  count: number;
  lines: Buffer;
  /** The last sequence that is done after this batch, including the gaps around its calls. */
  through: number;
}>;

/** The server accepts bodies of 1 MiB. The rest is reserved for the JSON around the calls and for what a proxy adds. */
export const MAX_BATCH_BYTES = 900 * 1024;

const COMMA = 44;

/** Splits the complete lines of a segment after the sequence `after` into batches. No batch begins or ends with a gap. */
export function* batchesOf(content: Buffer, first: number, after: number, maxBytes: () => number): Generator<Batch> {
  let sequence = first;
  let at = 0;
  for (; sequence <= after && at < content.length; sequence++) at = content.indexOf(LINE_END, at) + 1;
  while (at < content.length) {
    let batch = { first: sequence, count: 0, start: at, end: at };
    for (; at < content.length && sequence - batch.first < MAX_CALLS; sequence++) {
      const end = content.indexOf(LINE_END, at);
      if (isGap(content, at, end)) {
        if (batch.count === 0) batch = { first: sequence + 1, count: 0, start: end + 1, end: end + 1 };
      } else if (batch.count > 0 && end + 1 - batch.start > maxBytes()) {
        break;
      } else {
        batch = { ...batch, count: sequence - batch.first + 1, end: end + 1 };
      }
      at = end + 1;
    }
    yield { first: batch.first, count: batch.count, lines: content.subarray(batch.start, batch.end), through: sequence - 1 };
  }
}

/** The line of the call with a sequence. */
export const lineOf = ({ first, lines }: Batch, sequence: number): string => {
  let at = 0;
  for (let skipped = first; skipped < sequence; skipped++) at = lines.indexOf(LINE_END, at) + 1;
  return lines.toString('utf8', at, lines.indexOf(LINE_END, at));
};

const bodyAround = (sourceId: string, first: number, calls: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`{"sourceId":${JSON.stringify(sourceId)},"firstSequence":${first},"calls":[`),
    calls.subarray(0, -1),
    Buffer.from(']}'),
  ]);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The request body of a batch. `damaged` contains the sequences of lines that are not JSON after a disk error; they are sent as null. */
export const bodyOf = (sourceId: string, batch: Batch): Readonly<{ body: Buffer; damaged: ReadonlySet<number> }> => {
  // JSON text contains no line feeds, so replacing each one by a comma makes an array of the lines.
  const calls = Buffer.from(batch.lines);
  for (let at = calls.indexOf(LINE_END); at >= 0; at = calls.indexOf(LINE_END, at + 1)) calls[at] = COMMA;
  const body = bodyAround(sourceId, batch.first, calls);
  if (isJson(body.toString())) return { body, damaged: new Set() };

  const lines = batch.lines.toString().split('\n').slice(0, -1);
  const damaged = new Set(lines.flatMap((line, index) => (isJson(line) ? [] : [batch.first + index])));
  const readable = lines.map((line, index) => (damaged.has(batch.first + index) ? 'null' : line));
  return { body: bodyAround(sourceId, batch.first, Buffer.from(`${readable.join(',')},`)), damaged };
};

/** The two halves of a batch of at least two calls. */
export const halvesOf = (batch: Batch): readonly [Batch, Batch] => {
  const left = Math.floor(batch.count / 2);
  let cut = 0;
  for (let line = 0; line < left; line++) cut = batch.lines.indexOf(LINE_END, cut) + 1;
  const middle = batch.first + left;
  return [
    { first: batch.first, count: left, lines: batch.lines.subarray(0, cut), through: middle - 1 },
    { first: middle, count: batch.count - left, lines: batch.lines.subarray(cut), through: batch.through },
  ];
};
