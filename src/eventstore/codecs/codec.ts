import type { z } from 'zod';
import type { AnyEvent } from '../../domain/events.ts';
import type { Owner } from '../../security/owner.ts';

/** One version of an event's stored data. Frozen once released. */
export type Shape<Data> = Readonly<{
  /** Fields that are stored as an encrypted envelope, or null. */
  sealed: readonly string[];
  /** Upcasts stored data with decrypted fields to the current version. Throws if it does not have this shape. */
  parse: (opened: unknown) => Data;
  /** Converts current data to stored data, if they differ. Throws for data of another event. */
  store?: (data: unknown) => Record<string, unknown>;
}>;

/** All versions by number. The highest one is written. */
export type EventCodec<Data> = Readonly<{ version: number; shapes: Readonly<Record<number, Shape<Data>>> }>;

type DataOf<E extends AnyEvent, Type extends E['type']> = Extract<E, { type: Type }>['data'];

/** The codecs of all events of a category. A new event without a codec does not compile. */
export type CategoryCodec<E extends AnyEvent> = Readonly<{
  /** The owner of the data key that encrypts an event. `id` is the stream name without the category. */
  ownerOf: (id: string, data: Readonly<Record<string, unknown>>) => Owner | null;
  /** The owner whose data key encrypted such an event in former versions; null if it was the same one. */
  formerOwnerOf?: (id: string, data: Readonly<Record<string, unknown>>) => Owner | null;
  events: { readonly [Type in E['type']]: EventCodec<DataOf<E, Type>> };
}>;

export const shape = <Data>(schema: z.ZodType<Data>, sealed: readonly (keyof Data & string)[] = []): Shape<Data> => ({
  sealed,
  parse: (opened) => schema.parse(opened),
});

/** A former version, which is only read. */
export const formerShape = <Former, Data>(
  schema: z.ZodType<Former>,
  sealed: readonly (keyof Former & string)[],
  upcast: (former: Former) => Data,
): Shape<Data> => ({ sealed, parse: (opened) => upcast(schema.parse(opened)) });

export const eventCodec = <Data>(shapes: Readonly<Record<number, Shape<Data>>>): EventCodec<Data> => ({
  version: Math.max(...Object.keys(shapes).map(Number)),
  shapes,
});

/** The codec of an event with a single version. */
export const first = <Data>(schema: z.ZodType<Data>, sealed: readonly (keyof Data & string)[] = []): EventCodec<Data> =>
  eventCodec({ 1: shape(schema, sealed) });
