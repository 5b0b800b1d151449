import type { ExpectedRevision, ProposedEvent } from './event.ts';

/** What a client asks to be written. `deadline`: the time in ms after which it is no longer wanted. */
export type Operation = Readonly<
  | { kind: 'append'; stream: string; expected: ExpectedRevision; events: readonly ProposedEvent[]; deadline: number | undefined }
  | { kind: 'delete' | 'tombstone'; stream: string; expected: ExpectedRevision; deadline: undefined }
>;

/** `position` is undefined when nothing was to be written. */
export type Written = Readonly<{ kind: 'written'; revision: number; position: number | undefined }>;

type Refusal = Readonly<
  { kind: 'wrong_expected_revision'; current: number } | { kind: 'stream_deleted' } | { kind: 'deadline_exceeded' }
>;

export type Outcome = Written | Refusal;
