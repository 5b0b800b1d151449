import { boolean, defaulted, defineTable, int4, int8, nullable, text, timestamptz } from './defineTable.ts';

const checkpointColumns = {
  only_row: defaulted(boolean()),
  version: defaulted(int4()),
  position: nullable(int8()),
  store: nullable(text()),
  last_stream: nullable(text()),
  last_revision: nullable(int8()),
  last_event: nullable(text()),
  last_position: nullable(int8()),
  events: defaulted(int8()),
  epoch: defaulted(int8()),
  lag_ms: defaulted(int8()),
  node: nullable(text()),
  heartbeat_at: nullable(timestamptz()),
};

const parkedColumns = {
  stream: text(),
  revision: int8(),
  position: int8(),
  event_id: text(),
  type: text(),
  reason: text(),
  at: nullable(timestamptz()),
};

/** The progress of a schema of read models: one row. Queries select positions as text: they may exceed what a number holds. */
export const mainCheckpointTable = defineTable('read.checkpoint', { key: ['only_row'], columns: checkpointColumns });
export const usageCheckpointTable = defineTable('usage.checkpoint', { key: ['only_row'], columns: checkpointColumns });

/** Events that could not be projected, and the later ones of their streams. */
export const mainParkedTable = defineTable('read.parked', { key: ['stream', 'revision'], columns: parkedColumns });
export const usageParkedTable = defineTable('usage.parked', { key: ['stream', 'revision'], columns: parkedColumns });
