import type { SeatDay, SeatUtilization } from '../contracts/seats.ts';
import type { SeatKind } from '../domain/enumerations.ts';
import { csvWith } from './export.ts';

/** A row of the file: a kind of seat on a day. */
type SeatDayRow = SeatDay & Readonly<{ kind: SeatKind }>;

/** The rows of the file, by day. */
export async function* seatDayRows({ developer, stakeholder }: SeatUtilization): AsyncGenerator<SeatDayRow> {
  for (const [index, day] of developer.days.entries()) {
    yield { kind: 'developer', ...day };
    const other = stakeholder.days[index];
    if (other) yield { kind: 'stakeholder', ...other };
  }
}

/** The CSV of the utilization of seats. */
export const seatDaysCsv = csvWith<SeatDayRow>({
  day: ({ day }) => day,
  kind: ({ kind }) => kind,
  from: ({ from }) => from,
  to: ({ to }) => to,
  peak: ({ peak }) => peak,
  average: ({ average }) => average,
  seat_limit: ({ limit }) => limit,
  hours_above_limit: ({ hoursAboveLimit }) => hoursAboveLimit,
  denials: ({ denials }) => denials,
});
