import fc from 'fast-check';
import type * as model from './streamModel.ts';

export const STREAMS = 6;

/** The client cannot delete a stream with the condition that it exists. */
type Removable = Exclude<model.Expected, 'stream_exists'> | 'exact';

/** `joins`: it begins together with the operation before it, or after that if both are on one stream. */
type OnStream = Readonly<{ stream: number; joins: boolean }>;

export type Append = OnStream &
  Readonly<{ kind: 'append'; count: number; expected: model.Expected | 'exact'; rpc: 'Append' | 'BatchAppend'; repeats: boolean }>;

export type StreamOperation =
  | Append
  /** Several appends of one event at the same time: all expect the revision now, or each one the revision after the one before. */
  | (OnStream & Readonly<{ kind: 'appends'; count: number; expect: 'same' | 'following' }>)
  | (OnStream & Readonly<{ kind: 'delete' | 'tombstone'; expected: Removable }>)
  | (OnStream & Readonly<{ kind: 'limit'; limits: model.Limits | 'not JSON' | 'wrong type' }>)
  | (OnStream & Readonly<{ kind: 'link'; revision: number }>)
  | (OnStream & Readonly<{ kind: 'subscribe'; from: 'start' | 'end' | number }>);

export type StoreOperation =
  | Readonly<{ kind: 'scavenge' }>
  | Readonly<{ kind: 'step clock' }>
  /** The server is killed after so many turns of the event loop, while these are appended. */
  | Readonly<{ kind: 'kill'; turns: number; appends: readonly Append[] }>;

export type Operation = StreamOperation | StoreOperation;

const small = fc.integer({ min: 0, max: 6 });
const onStream = {
  stream: fc.integer({ min: 0, max: STREAMS - 1 }),
  joins: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
};
const rpc = fc.constantFrom('BatchAppend' as const, 'BatchAppend' as const, 'Append' as const);
const removable = fc.constantFrom<Removable>('any', 'any', 'no_stream', 'exact', 'exact', 0, 5);
/** Values that are not positive are ignored; events of 1,000 seconds expire with the second step of the clock. */
const limits = fc.record(
  { maxCount: fc.integer({ min: -1, max: 4 }), maxAge: fc.constantFrom(-1, 0, 1_000, 1_000, 1_000), truncateBefore: small },
  { requiredKeys: [], noNullPrototype: true },
);

const append = fc.record({
  kind: fc.constant('append' as const),
  ...onStream,
  count: fc.integer({ min: 0, max: 4 }),
  expected: fc.constantFrom<Append['expected']>('any', 'any', 'no_stream', 'stream_exists', 'exact', 'exact', 0, 5),
  rpc,
  repeats: fc.boolean(),
});
/** A retry of these has the same result as the first attempt. */
const retryable = fc.record({
  kind: fc.constant('append' as const),
  ...onStream,
  count: fc.integer({ min: 1, max: 3 }),
  expected: fc.constantFrom<Append['expected']>('any', 'exact'),
  rpc,
  repeats: fc.boolean(),
});

const weighted = (weight: number, arbitrary: fc.Arbitrary<Operation>) => ({ weight, arbitrary });

/** One in 200 is a kill. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  weighted(78, append),
  weighted(
    12,
    fc.record({
      kind: fc.constant('appends' as const),
      ...onStream,
      count: fc.integer({ min: 2, max: 4 }),
      expect: fc.constantFrom('same' as const, 'following' as const),
    }),
  ),
  weighted(24, fc.record({ kind: fc.constant('delete' as const), ...onStream, expected: removable })),
  weighted(4, fc.record({ kind: fc.constant('tombstone' as const), ...onStream, expected: removable })),
  weighted(
    28,
    fc.record({
      kind: fc.constant('limit' as const),
      ...onStream,
      limits: fc.oneof({ weight: 6, arbitrary: limits }, fc.constantFrom('not JSON' as const, 'wrong type' as const)),
    }),
  ),
  weighted(22, fc.record({ kind: fc.constant('link' as const), ...onStream, revision: small })),
  weighted(
    16,
    fc.record({
      kind: fc.constant('subscribe' as const),
      ...onStream,
      from: fc.oneof(fc.constantFrom('start' as const, 'end' as const), small),
    }),
  ),
  weighted(5, fc.record({ kind: fc.constant('scavenge' as const) })),
  weighted(10, fc.record({ kind: fc.constant('step clock' as const) })),
  weighted(
    1,
    fc.record({
      kind: fc.constant('kill' as const),
      turns: fc.integer({ min: 0, max: 40 }),
      appends: fc.array(retryable, { maxLength: 6 }),
    }),
  ),
);

/** Splits a sequence into what runs at the same time: operations on streams that join each other, or one on the store. */
export const groupsOf = (operations: readonly Operation[]): (readonly StreamOperation[] | StoreOperation)[] => {
  const groups: (StreamOperation[] | StoreOperation)[] = [];
  for (const each of operations) {
    const last = groups.at(-1);
    if (each.kind === 'scavenge' || each.kind === 'step clock' || each.kind === 'kill') groups.push(each);
    else if (each.joins && Array.isArray(last)) last.push(each);
    else groups.push([each]);
  }
  return groups;
};
