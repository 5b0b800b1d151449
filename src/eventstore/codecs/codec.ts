import type { z } from 'zod';
import type { AnyEvent } from '../../domain/events.ts';
import type { Owner } from '../../security/owner.ts';

/** One version of an event's data as it stands in the store. Frozen once released. */
export type Shape<Data> = Readonly<{
  /** Fields that hold an envelope in the store, or null. */
  sealed: readonly string[];
  /** From the stored data, its sealed fields opened, to the data of today. Throws when it is not of this shape. */
  parse: (opened: unknown) => Data;
  /** From the data of today to what is stored of it, where that differs. Throws when it is no data of this event. */
  store?: (data: unknown) => Record<string, unknown>;
}>;

/** Every version there ever was, by its number; the highest is written. */
export type EventCodec<Data> = Readonly<{ version: number; shapes: Readonly<Record<number, Shape<Data>>> }>;

type DataOf<E extends AnyEvent, Type extends E['type']> = Extract<E, { type: Type }>['data'];

/** One codec for every event of a category: a new event without one does not compile. */
export type CategoryCodec<E extends AnyEvent> = Readonly<{
  /** Whose data key seals the events of a stream; `id` is what follows the category in its name. */
  ownerOf: (id: string, data: Readonly<Record<string, unknown>>) => Owner | null;
  events: { readonly [Type in E['type']]: EventCodec<DataOf<E, Type>> };
}>;

export const shape = <Data>(schema: z.ZodType<Data>, sealed: readonly (keyof Data & string)[] = []): Shape<Data> => ({
  sealed,
  parse: (opened) => schema.parse(opened),
});

/** A version that is read and no longer written. */
export const formerShape = <Former, Data>(
  schema: z.ZodType<Former>,
  sealed: readonly (keyof Former & string)[],
  upcast: (former: Former) => Data,
): Shape<Data> => ({ sealed, parse: (opened) => upcast(schema.parse(opened)) });

export const eventCodec = <Data>(shapes: Readonly<Record<number, Shape<Data>>>): EventCodec<Data> => ({
  version: Math.max(...Object.keys(shapes).map(Number)),
  shapes,
});

/** An event that has had one shape so far. */
export const first = <Data>(schema: z.ZodType<Data>, sealed: readonly (keyof Data & string)[] = []): EventCodec<Data> =>
  eventCodec({ 1: shape(schema, sealed) });
