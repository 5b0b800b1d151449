import { z } from 'zod';
import type { AdminActivityEvent } from '../../domain/adminActivity/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { noData } from './fields.ts';

export const adminActivityCodec: CategoryCodec<AdminActivityEvent> = {
  ownerOf: () => null,
  events: {
    AdminSignedIn: first(noData),
    AdminSignInRefused: first(z.strictObject({ reason: z.enum(['wrong_key', 'too_many_attempts']) })),
    AdminKeyRotated: first(noData),
  },
};
