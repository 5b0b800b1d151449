import { defineTable, int8, text, timestamptz } from './defineTable.ts';

const columns = { group_name: text(), at: timestamptz(), lag_ms: int8() };

/** The lag of each projection group: samples, and the maximum of each minute and hour. */
export const projectionLagTable = defineTable('ops.projection_lag', { key: ['group_name', 'at'], columns });
export const projectionLagMinuteTable = defineTable('ops.projection_lag_minute', { key: ['group_name', 'at'], columns });
export const projectionLagHourTable = defineTable('ops.projection_lag_hour', { key: ['group_name', 'at'], columns });
