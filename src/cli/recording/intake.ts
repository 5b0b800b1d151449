import { checkLine } from './call.ts';
import { GAP } from './lane.ts';
import type { Line } from './lines.ts';

export type Intake = Readonly<{
  counts: Readonly<{ calls: number; invalid: number }>;
  /** Returns the lines to spool. */
  take: (lines: readonly Line[]) => string[];
}>;

type IntakeOptions = Readonly<{
  now: () => number;
  /** Numbers calls by line: a line without a call becomes a gap. */
  byLine: boolean;
  onInvalid: (line: number, reason: string) => void;
}>;

/** Validates lines of NDJSON, counts calls and invalid lines, and skips empty lines. */
export const openIntake = ({ now, byLine, onInvalid }: IntakeOptions): Intake => {
  const counts = { calls: 0, invalid: 0 };
  return {
    counts,
    take: (lines) =>
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
