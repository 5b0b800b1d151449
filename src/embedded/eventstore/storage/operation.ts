import type { ExpectedRevision, ProposedEvent } from './event.ts';

/**
 * The order of the operations of one call. Once PostgreSQL has failed for one of them, later ones fail, too, so that the written ones
 * have no gap.
 */
export type Sequence = { hasFailed: boolean };

/** A write request of a client. `deadline` is in ms since 1970; it fails when that has passed. */
export type Operation = Readonly<
  | {
      kind: 'append';
      stream: string;
      expected: ExpectedRevision;
      events: readonly ProposedEvent[];
      deadline: number | undefined;
      sequence?: Sequence;
    }
  | { kind: 'delete' | 'tombstone'; stream: string; expected: ExpectedRevision; deadline: undefined }
>;

/** `position` is that of the last event, or of the store's last event when the operation wrote none. */
export type Written = Readonly<{ kind: 'written'; revision: number; position: number }>;

type Refusal = Readonly<
  { kind: 'wrong_expected_revision'; current: number } | { kind: 'stream_deleted' } | { kind: 'deadline_exceeded' }
>;

/** The store is closing: the operation was not accepted and has no effect. */
export class StoreClosing extends Error {
  override readonly name = 'StoreClosing';
}

/** The result of an operation. */
export type OperationResult = Written | Refusal;
