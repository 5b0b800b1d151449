import { checkLine } from './call.ts';
import { GAP } from './lane.ts';
import type { Line } from './lines.ts';

export type Intake = Readonly<{
  counts: Readonly<{ calls: number; invalid: number }>;
  /** What of these lines is spooled. */
  take: (lines: readonly Line[]) => string[];
}>;

type IntakeOptions = Readonly<{
  now: () => number;
  /** Calls keep the number of their line, so a line without a call leaves a gap. */
  byLine: boolean;
  onInvalid: (line: number, reason: string) => void;
}>;

/** Sorts lines of NDJSON into calls, mistakes and nothing. */
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
