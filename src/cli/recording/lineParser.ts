import { checkLine } from './call.ts';
import type { Line } from './lines.ts';
import { GAP } from './sourceSpool.ts';

export type LineParser = Readonly<{
  counts: Readonly<{ calls: number; invalid: number }>;
  /** Returns the lines to spool. */
  parse: (lines: readonly Line[]) => string[];
}>;

type LineParserOptions = Readonly<{
  now: () => number;
  /** Numbers calls by line: a line without a call becomes a gap. */
  byLine: boolean;
  onInvalid: (line: number, reason: string) => void;
}>;

/** Validates lines of NDJSON, counts calls and invalid lines, and skips empty lines. */
export const openLineParser = ({ now, byLine, onInvalid }: LineParserOptions): LineParser => {
  const counts = { calls: 0, invalid: 0 };
  return {
    counts,
    parse: (lines) =>
      lines.flatMap((line) => {
        const checked = checkLine(line, now());
        if (checked?.ok) {
          counts.calls++;
          return [checked.line];
        }
        if (checked !== null) {
          counts.invalid++;
          onInvalid(line.number, checked.reason);
        }
        return byLine ? [GAP] : [];
      }),
  };
};
