import { z } from 'zod';
import { SEAT_KINDS } from '../../domain/enumerations.ts';
import type { SeatLeaseEvent } from '../../domain/seatLeases/events.ts';
import { LEASE_END_REASONS } from '../../domain/seatLeases/reasons.ts';
import { type CategoryCodec, first } from './codec.ts';
import { text, textOrNull, userId } from './fields.ts';

const kind = z.enum(SEAT_KINDS);

/** Nothing in these events is personal data beside the id of the user. */
export const seatLeasesCodec: CategoryCodec<SeatLeaseEvent> = {
  ownerOf: (id) => `customer:${id}`,
  events: {
    SeatLeased: first(z.strictObject({ userId, kind })),
    SeatHeldOffline: first(z.strictObject({ userId, kind, until: text })),
    SeatLeaseEnded: first(z.strictObject({ userId, kind, reason: z.enum(LEASE_END_REASONS), lastUsedAt: textOrNull })),
  },
};
