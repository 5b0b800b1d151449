import { z } from 'zod';
import { SEAT_KINDS } from '../../domain/enumerations.ts';
import type { SeatDenialEvent } from '../../domain/seatDenials/events.ts';
import { SEAT_DENIAL_REASONS } from '../../domain/seatDenials/reasons.ts';
import { type CategoryCodec, first } from './codec.ts';
import { customerId, text, textOrNull, userId } from './fields.ts';

/** The username of a person who is no user is encrypted with the customer's data key, and erased with the customer. */
export const seatDenialsCodec: CategoryCodec<SeatDenialEvent> = {
  ownerOf: (id) => `customer:${id}`,
  events: {
    SeatDenied: first(
      z.strictObject({
        customerId,
        userId: userId.nullable(),
        username: textOrNull,
        kind: z.enum(SEAT_KINDS),
        reason: z.enum(SEAT_DENIAL_REASONS),
        count: z.int().positive(),
        firstAt: text,
        lastAt: text,
      }),
      ['username'],
    ),
  },
};
