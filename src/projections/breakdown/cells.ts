import { OUTCOMES, type Outcome } from '../../domain/apiCalls/outcome.ts';
import { SERVICES, type Service } from '../../domain/enumerations.ts';
import { areEqual, type Bytes } from '../callCounts/bytes.ts';
import { addEncoded, emptyHistogram, encodeHistogram, mergeEncoded } from '../callCounts/histogram.ts';
import type { FailedCalls } from './failedCalls.ts';

/** What distinguishes the calls of a cell. `instanceUrl` is empty where cells of several customers are added up. */
export type CellKey = Readonly<{ service: Service; operation: string; instanceUrl: string; outcome: Outcome }>;
/** Number of calls, of failed ones, and the stored histogram of their durations. */
export type Counts = { calls: number; errors: number; histogram: Uint8Array };
/** Calls with one key. `failed` divides those of a stored row whose key does not say how they ended. */
export type Cell = Readonly<{ key: CellKey; counts: Counts; failed?: Readonly<FailedCalls> }>;

/** Stands for the operations and instances that are counted together; no operation and no address is empty. */
export const TOGETHER = '';

/** Stands for the key of calls that are not divided. */
export const UNDIVIDED: CellKey = { service: 'jira', operation: TOGETHER, instanceUrl: TOGETHER, outcome: 'success' };

/** The counts of one row, by the text of their keys. */
export type Cells = Map<string, Counts>;

/** The key of calls that are divided by outcome alone. */
export const keyOfOutcome = (outcome: Outcome): CellKey => ({ ...UNDIVIDED, outcome });

/** A cell as it is counted by outcome alone. */
export const ofOutcome = ({ key: { outcome }, counts }: Cell): Cell => ({ key: keyOfOutcome(outcome), counts });

/** No operation or address contains control characters. */
const SEPARATOR = '\n';
const textOf = ({ service, operation, instanceUrl, outcome }: CellKey): string =>
  `${service}${SEPARATOR}${operation}${SEPARATOR}${instanceUrl}${SEPARATOR}${outcome}`;

const keyOf = (text: string): CellKey => {
  const [service, operation = TOGETHER, instanceUrl = TOGETHER, outcome] = text.split(SEPARATOR);
  return {
    service: SERVICES.find((one) => one === service) ?? 'jira',
    operation,
    instanceUrl,
    outcome: OUTCOMES.find((one) => one === outcome) ?? 'error',
  };
};

const isTogether = ({ operation, instanceUrl }: CellKey): boolean => operation === TOGETHER && instanceUrl === TOGETHER;
const together = (key: CellKey): CellKey => ({ ...key, operation: TOGETHER, instanceUrl: TOGETHER });

/**
 * Adds a cell, and returns the key that counts it. The first `limit` keys of a row are kept apart; calls with further ones are counted
 * together by service and outcome, so that a client that invents operations cannot make rows large.
 */
export const addCell = (cells: Cells, { key, counts }: Cell, limit: number): CellKey => {
  const text = textOf(key);
  const known = cells.get(text);
  if (known) {
    known.calls += counts.calls;
    known.errors += counts.errors;
    known.histogram = mergeEncoded(known.histogram, counts.histogram);
    return key;
  }
  if (!isTogether(key) && cells.size >= limit) return addCell(cells, { key: together(key), counts }, limit);
  cells.set(text, { ...counts });
  return key;
};

/** Takes away the part of the calls that the cell has, and returns the rest. */
const take = (cells: Cells, key: CellKey, less: Counts): Counts => {
  const text = textOf(key);
  const known = cells.get(text);
  if (!known) return less;
  const [mine, theirs] = [emptyHistogram(), emptyHistogram()];
  addEncoded(mine, known.histogram);
  addEncoded(theirs, less.histogram);
  let calls = 0;
  for (const [bucket, count] of theirs.entries()) {
    const taken = Math.min(count, mine[bucket] ?? 0);
    calls += taken;
    mine[bucket] = (mine[bucket] ?? 0) - taken;
    theirs[bucket] = count - taken;
  }
  const errors = Math.min(less.errors, known.errors, calls);
  known.calls -= calls;
  known.errors -= errors;
  known.histogram = encodeHistogram(mine);
  if (known.calls === 0) cells.delete(text);
  return { calls: less.calls - calls, errors: less.errors - errors, histogram: encodeHistogram(theirs) };
};

/** Takes a cell away again: first from the counts of its key, the rest from those that were counted together. */
export const subtractCell = (cells: Cells, { key, counts }: Cell): void => {
  const rest = take(cells, key, counts);
  if (rest.calls > 0) take(cells, together(key), rest);
};

/** Each cell. */
export const eachOf = (cells: Cells): Cell[] => Array.from(cells, ([text, counts]) => ({ key: keyOf(text), counts }));

const textOfOutcome = (outcome: Outcome): string => textOf(keyOfOutcome(outcome));
const TEXTS = { calls_4xx: textOfOutcome('4xx'), calls_5xx: textOfOutcome('5xx'), calls_error: textOfOutcome('error') };

/** The failed calls of cells that outcomes alone divide. */
export const failedCallsOf = (outcomes: Cells): FailedCalls => ({
  calls_4xx: outcomes.get(TEXTS.calls_4xx)?.calls ?? 0,
  calls_5xx: outcomes.get(TEXTS.calls_5xx)?.calls ?? 0,
  calls_error: outcomes.get(TEXTS.calls_error)?.calls ?? 0,
});

const sumBy = (cells: Cells, of: (cell: Cell) => Cell): Cells => {
  const sums: Cells = new Map();
  for (const cell of eachOf(cells)) addCell(sums, of(cell), Number.POSITIVE_INFINITY);
  return sums;
};

/** The calls of cells by outcome alone. */
export const outcomesOf = (cells: Cells): Cells => sumBy(cells, ofOutcome);

/** The calls of cells by service and outcome alone. */
export const servicesOf = (cells: Cells): Cells => sumBy(cells, ({ key, counts }) => ({ key: together(key), counts }));

const SIZE_BYTES = 4;
const COUNT_BYTES = 8;
const HEAD_BYTES = 2 * SIZE_BYTES + 2 * COUNT_BYTES;
const MAX_CHARACTER_BYTES = 3;

/**
 * As they are stored, in the order of the keys, so that equal cells are stored equally: for each cell the length of its key and of its
 * histogram (unsigned 32 bits), calls and errors (64-bit floats), key and histogram.
 */
export const encodeCells = (cells: Cells): Buffer => {
  let size = 0;
  for (const [text, { histogram }] of cells) size += HEAD_BYTES + MAX_CHARACTER_BYTES * text.length + histogram.length;
  const stored = Buffer.allocUnsafe(size);
  let at = 0;
  for (const text of [...cells.keys()].sort()) {
    const counts = cells.get(text);
    if (!counts) continue;
    const keyLength = stored.write(text, at + HEAD_BYTES);
    stored.writeUInt32BE(keyLength, at);
    stored.writeUInt32BE(counts.histogram.length, at + SIZE_BYTES);
    stored.writeDoubleBE(counts.calls, at + 2 * SIZE_BYTES);
    stored.writeDoubleBE(counts.errors, at + 2 * SIZE_BYTES + COUNT_BYTES);
    stored.set(counts.histogram, at + HEAD_BYTES + keyLength);
    at += HEAD_BYTES + keyLength + counts.histogram.length;
  }
  return stored.subarray(0, at);
};

/** Takes the calls and failed ones of a cell. The histogram of their durations is the part of `buffer` from `start` to `end`. */
export type TakeCounts = (calls: number, errors: number, buffer: Buffer, start: number, end: number) => void;

/** Calls back with the counts of each stored cell. Its key is from `keyAt` to `start`, and its histogram from `start` to `end`. */
const eachPlace = (
  cells: Bytes,
  take: (keyAt: number, calls: number, errors: number, start: number, end: number) => void,
): void => {
  const { buffer } = cells;
  let at = cells.start;
  while (at < cells.end) {
    const keyAt = at + HEAD_BYTES;
    const start = keyAt + buffer.readUInt32BE(at);
    const end = start + buffer.readUInt32BE(at + SIZE_BYTES);
    take(keyAt, buffer.readDoubleBE(at + 2 * SIZE_BYTES), buffer.readDoubleBE(at + 2 * SIZE_BYTES + COUNT_BYTES), start, end);
    at = end;
  }
};

/** What was made of the keys of cells, by their bytes, and of each key of the last row. */
export type OpenedKeys<Value> = Readonly<{ values: Map<string, Value>; last: (Bytes & Readonly<{ value: Value }>)[] }>;

export const noKeys = <Value>(): OpenedKeys<Value> => ({ values: new Map(), last: [] });

/**
 * Calls back with what `open` made of the key of each stored cell, and with its counts. `opened` keeps the former: rows of one scope
 * mostly have the same keys in the same order, so a key is compared with that of the last row before it is looked up as a text.
 */
export const eachStored = <Value>(
  cells: Bytes,
  opened: OpenedKeys<Value>,
  open: (key: CellKey) => Value,
  take: (value: Value, ...counts: Parameters<TakeCounts>) => void,
): void => {
  const { values, last } = opened;
  const { buffer } = cells;
  let index = 0;
  eachPlace(cells, (keyAt, calls, errors, start, end) => {
    let known = last[index];
    if (known === undefined || !areEqual(known, buffer, keyAt, start)) {
      const text = buffer.toString('utf8', keyAt, start);
      const found = values.get(text);
      const value = found === undefined ? open(keyOf(text)) : found;
      values.set(text, value);
      known = { buffer, start: keyAt, end: start, value };
      last[index] = known;
    }
    index += 1;
    take(known.value, calls, errors, buffer, start, end);
  });
};

/** Calls back with the counts of each stored cell. */
export const eachCount = (cells: Bytes, take: TakeCounts): void =>
  eachPlace(cells, (_keyAt, calls, errors, start, end) => take(calls, errors, cells.buffer, start, end));

/** Reads stored cells. Histograms stay as they are stored. */
export const decodeCells = (stored: Buffer): Cells => {
  const cells: Cells = new Map();
  eachPlace({ buffer: stored, start: 0, end: stored.length }, (keyAt, calls, errors, start, end) => {
    cells.set(stored.toString('utf8', keyAt, start), { calls, errors, histogram: stored.subarray(start, end) });
  });
  return cells;
};
