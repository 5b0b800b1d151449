import type { Service } from '../../domain/credential/events.ts';
import type { ConnectionId, CustomerId, UserId } from '../../domain/ids.ts';
import type { Merging } from '../engine/adder.ts';
import type { TableShape } from '../engine/sheet.ts';

/** The rows of the usage group as they are in memory; histograms are `bytea`, see `histogram.ts`. */
export type Rollup = { calls: number; errors: number; total_ms: number };

export type SourceRow = { customer_id: CustomerId; source_id: string; seen: string };

export const sourceShape: TableShape<SourceRow> = {
  table: 'source',
  key: ['customer_id', 'source_id'],
  columns: { customer_id: 'uuid', source_id: 'text', seen: 'ranges' },
};

export type DeletedRow = { customer_id: CustomerId };

export const deletedShape: TableShape<DeletedRow> = {
  table: 'deleted',
  key: ['customer_id'],
  columns: { customer_id: 'uuid' },
};

export type DayRow = Rollup & { customer_id: CustomerId; day: string; histogram: Buffer };

export const dayShape: TableShape<DayRow> = {
  table: 'day',
  key: ['customer_id', 'day'],
  columns: { customer_id: 'uuid', day: 'date', calls: 'int8', errors: 'int8', total_ms: 'int8', histogram: 'bytea' },
};

export type InstanceDayRow = DayRow & { instance_key: string; last_at: string };

export const instanceDayShape: TableShape<InstanceDayRow> = {
  table: 'instance_day',
  key: ['customer_id', 'day', 'instance_key'],
  columns: { ...dayShape.columns, instance_key: 'uuid', last_at: 'timestamptz' },
};

export type InstanceRow = Rollup & {
  customer_id: CustomerId;
  instance_key: string;
  service: Service;
  instance_url: string;
  last_at: string;
};

export const instanceShape: TableShape<InstanceRow> = {
  table: 'instance',
  key: ['customer_id', 'instance_key'],
  columns: {
    customer_id: 'uuid',
    instance_key: 'uuid',
    service: 'text',
    instance_url: 'text',
    calls: 'int8',
    errors: 'int8',
    total_ms: 'int8',
    last_at: 'timestamptz',
  },
};

const rollupMerging = { calls: 'sum', errors: 'sum', total_ms: 'sum' } as const;
export const instanceMerging: Merging<InstanceRow> = { ...rollupMerging, last_at: 'latest' };

export type CustomerUsageRow = Rollup & { customer_id: CustomerId; last_call_at: string };

export const customerUsageShape: TableShape<CustomerUsageRow> = {
  table: 'customer',
  key: ['customer_id'],
  columns: { customer_id: 'uuid', calls: 'int8', errors: 'int8', total_ms: 'int8', last_call_at: 'timestamptz' },
};

export const customerUsageMerging: Merging<CustomerUsageRow> = { ...rollupMerging, last_call_at: 'latest' };

export type ScopeDayRow = Rollup & { scope: string; day: string };

export const scopeDayShape: TableShape<ScopeDayRow> = {
  table: 'scope_day',
  key: ['scope', 'day'],
  columns: { scope: 'uuid', day: 'date', calls: 'int8', errors: 'int8', total_ms: 'int8' },
};

export const scopeDayMerging: Merging<ScopeDayRow> = rollupMerging;

/** What arrived in a second or a minute; `connected` is how many more users were connected at its end than at its start. */
export type BucketRow = { at: string; calls: number; errors: number; connected: number; histogram: Buffer };

export const bucketShape = (table: 'second' | 'minute'): TableShape<BucketRow> => ({
  table,
  key: ['at'],
  columns: { at: 'timestamptz', calls: 'int8', errors: 'int8', connected: 'int8', histogram: 'bytea' },
});

export type ConnectionRow = { connection_id: ConnectionId; user_id: UserId; customer_id: CustomerId };

export const connectionShape: TableShape<ConnectionRow> = {
  table: 'connection',
  key: ['connection_id'],
  owners: ['user_id', 'customer_id'],
  columns: { connection_id: 'uuid', user_id: 'uuid', customer_id: 'uuid' },
};
