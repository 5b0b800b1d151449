/** What the write side itself may refuse, beside the domain: what the caller had seen has changed since. */
export type DispatchRefusal = 'revision_changed';

/**
 * `position` is that of the last event written, null when nothing was to be written. `state` is what the stream folds to now and
 * `revision` its last event's.
 */
export type Outcome<S, R extends string> =
  | Readonly<{ accepted: true; position: bigint | null; revision: bigint; state: S }>
  | Readonly<{ accepted: false; refusal: R | DispatchRefusal }>;

/** `ifRevision` refuses with `revision_changed` unless it is the stream's revision. */
export type DispatchOptions = Readonly<{ ifRevision?: bigint }>;
