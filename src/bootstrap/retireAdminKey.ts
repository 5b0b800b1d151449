import { recordAdminActivity } from '../commands/activity.ts';
import type { Product } from './product.ts';

/** What follows from another admin key, wherever it came from: sessions of the old one end, which is recorded. Resolves to how many ended. */
export const retireAdminKey = async ({
  sessions,
  events,
  now,
  newId,
}: Pick<Product, 'sessions' | 'events' | 'now' | 'newId'>): Promise<number> => {
  const ended = await sessions.end({ kind: 'admin', isByKey: true }, 'key_rotated');
  const commandId = newId();
  await recordAdminActivity(
    events,
    { type: 'AdminKeyRotated', data: {} },
    {
      actor: { kind: 'admin', id: 'admin' },
      commandId,
      correlationId: commandId,
      causationId: null,
      at: new Date(now()).toISOString(),
    },
  );
  return ended;
};
