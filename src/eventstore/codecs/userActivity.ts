import { z } from 'zod';
import type { UserActivityEvent } from '../../domain/userActivity/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { connectionId, customerId, text, userId } from './fields.ts';

export const userActivityCodec: CategoryCodec<UserActivityEvent> = {
  ownerOf: () => null,
  events: {
    UserAuthenticated: first(z.strictObject({ userId, customerId })),
    UserConnected: first(z.strictObject({ userId, customerId, connectionId, node: text })),
    UserDisconnected: first(z.strictObject({ userId, customerId, connectionId, reason: z.enum(['closed', 'lost', 'revoked']) })),
  },
};
