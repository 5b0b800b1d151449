import {
  type AnyEvent,
  type EventsByCategory,
  type EventType,
  STREAM_CATEGORIES,
  type StreamCategory,
} from '../../domain/events.ts';
import { adminActivityCodec } from './adminActivity.ts';
import { apiCallsCodec } from './apiCalls.ts';
import type { CategoryCodec, EventCodec } from './codec.ts';
import { credentialCodec } from './credential.ts';
import { customerCodec } from './customer.ts';
import { integratorCodec } from './integrator.ts';
import { operationsCodec } from './operations.ts';
import { plansCodec } from './plans.ts';
import { seatDenialsCodec } from './seatDenials.ts';
import { seatLeasesCodec } from './seatLeases.ts';
import { signInsCodec } from './signIns.ts';
import { teamCodec } from './team.ts';
import { themesCodec } from './themes.ts';
import { userActivityCodec } from './userActivity.ts';

export const codecs: { readonly [C in StreamCategory]: CategoryCodec<EventsByCategory[C]> } = {
  customer: customerCodec,
  integrator: integratorCodec,
  themes: themesCodec,
  credential: credentialCodec,
  userActivity: userActivityCodec,
  apiCalls: apiCallsCodec,
  adminActivity: adminActivityCodec,
  seatDenials: seatDenialsCodec,
  seatLeases: seatLeasesCodec,
  signIns: signInsCodec,
  team: teamCodec,
  operations: operationsCodec,
  plans: plansCodec,
};

/** The codec of an event, and the owners of its data keys. */
export type CodecEntry = Pick<CategoryCodec<AnyEvent>, 'ownerOf' | 'formerOwnerOf'> &
  Readonly<{ codec: EventCodec<AnyEvent['data']> }>;

const entries: ReadonlyMap<string, ReadonlyMap<string, CodecEntry>> = new Map(
  Object.entries(codecs).map(([category, { ownerOf, formerOwnerOf, events }]) => {
    const owners = { ownerOf, ...(formerOwnerOf && { formerOwnerOf }) };
    return [
      category,
      new Map(Object.entries<EventCodec<AnyEvent['data']>>(events).map(([type, codec]) => [type, { ...owners, codec }])),
    ];
  }),
);

const isCategory = (name: string): name is StreamCategory => entries.has(name);

/** Splits `customer-1` into category `customer` and id `1`; null for a stream that the product does not use. */
export const splitStreamName = (stream: string): { category: StreamCategory; id: string } | null => {
  const dash = stream.indexOf('-');
  const category = dash === -1 ? stream : stream.slice(0, dash);
  return isCategory(category) ? { category, id: dash === -1 ? '' : stream.slice(dash + 1) } : null;
};

/** The codecs of an event type in all its versions; undefined for an unknown type. */
export const codecEntryOf = (category: StreamCategory, type: string): CodecEntry | undefined => entries.get(category)?.get(type);

/** The categories of the streams that hold events of these types. */
export const categoriesOf = (eventTypes: readonly EventType[]): StreamCategory[] =>
  STREAM_CATEGORIES.filter((category) => eventTypes.some((type) => codecEntryOf(category, type)));
