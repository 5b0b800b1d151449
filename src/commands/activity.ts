import type { AdminActivityEvent } from '../domain/adminActivity/events.ts';
import type { EventMeta } from '../domain/event.ts';
import type { AnyEvent } from '../domain/events.ts';
import type { UserActivityEvent } from '../domain/userActivity/events.ts';
import type { EventStore, Position, StreamName } from '../eventstore/port.ts';
import { streams } from './streams.ts';

type Appending = Pick<EventStore, 'append'>;

/** No rule constrains these events, so they are appended without an expected revision. */
const record = async (events: Appending, stream: StreamName, event: AnyEvent, meta: EventMeta): Promise<Position> => {
  const appended = await events.append(stream, [event], { expected: 'any', meta });
  if (!appended.ok) throw new Error(`${stream} refused ${event.type}`);
  return appended.position;
};

/** A user signed in, connected or disconnected. */
export const recordUserActivity = (events: Appending, event: UserActivityEvent, meta: EventMeta): Promise<Position> =>
  record(events, streams.userActivity(event.data.userId), event, meta);

/** An administrator signed in, was rejected, or got a new key. */
export const recordAdminActivity = (events: Appending, event: AdminActivityEvent, meta: EventMeta): Promise<Position> =>
  record(events, streams.adminActivity, event, meta);
