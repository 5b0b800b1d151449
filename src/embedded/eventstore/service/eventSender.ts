import { encodeReadEvent } from '../codec/readEvent.ts';
import type { StoredEvent } from '../storage/event.ts';
import type { Store } from '../storage/store.ts';
import type { Responses } from './responses.ts';

/** Sends one event; resolves when the client is ready for the next. */
export type EventSender = (event: StoredEvent) => Promise<void> | void;

const LINK_TYPE = '$>';
const LINK = /^(\d+)@(.+)$/s;

/** The event that a `$>` event references as `revision@stream`; undefined when there is none. */
const targetOf = async (store: Store, link: StoredEvent): Promise<StoredEvent | undefined> => {
  const [, revision, stream] = LINK.exec(link.data.toString()) ?? [];
  if (revision === undefined || stream === undefined || stream.includes('\0')) return undefined;
  const [event] = await store.streamForward(stream, Number(revision), 1);
  return event?.revision === Number(revision) ? event : undefined;
};

export const eventSender = (store: Store, responses: Responses, resolveLinks: boolean): EventSender => {
  if (!resolveLinks) return (event) => responses.send(encodeReadEvent(event, undefined, responses.scratch));
  return async (event) => {
    const response = event.type === LINK_TYPE ? encodeReadEvent(await targetOf(store, event), event) : encodeReadEvent(event);
    await responses.send(response);
  };
};
