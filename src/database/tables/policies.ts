import { column, defineTable, nullable, text, timestamptz } from './defineTable.ts';

/** The position that each policy has reached, and in which event store. */
export const policyCheckpointTable = defineTable('policy.checkpoint', {
  key: ['policy'],
  columns: {
    policy: text(),
    /** Read and written as text: it may exceed what a number holds. */
    position: column<string>('numeric(20,0)'),
    store_id: nullable(text()),
    /** The last event that the policy handled. */
    last_stream: nullable(text()),
    last_revision: nullable(column<string>('numeric(20,0)')),
    last_event: nullable(text()),
    last_position: nullable(column<string>('numeric(20,0)')),
  },
});

/** The state that a policy keeps from one event to another. */
export const policyNoteTable = defineTable('policy.note', {
  key: ['policy', 'key'],
  columns: { policy: text(), key: text(), value: text(), due_at: nullable(timestamptz()) },
});

/** Policies that failed repeatedly and have not succeeded since. */
export const policyFailureTable = defineTable('policy.failure', {
  key: ['policy'],
  columns: { policy: text(), error: text(), failed_at: timestamptz() },
});
