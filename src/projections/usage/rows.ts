import { room, type Topic, topic } from '../../contracts/topics.ts';
import {
  type ConnectionRow,
  type CustomerUsageRow,
  type DeletedRow,
  usageConnectionTable,
  usageDeletedTable,
} from '../../database/tables/usage.ts';
import { type CallSlice, sliceOf } from '../../domain/apiCalls/columns.ts';
import type { ApiCallsRecorded } from '../../domain/apiCalls/events.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { EventStore } from '../../eventstore/port.ts';
import { type ConnectedChanges, openConnectedChanges } from '../breakdown/connectedChanges.ts';
import { cellsOf } from '../breakdown/counting.ts';
import { adoptTraffic, disownTraffic, eraseTraffic } from '../breakdown/erasing.ts';
import { openMerging } from '../breakdown/merging.ts';
import { writeTraffic } from '../breakdown/writing.ts';
import { type CallGroup, createCallGroups } from '../callCounts/counting.ts';
import { type EntitlementsSet, openNotIncluded } from '../callCounts/notIncluded.ts';
import { type EventLocation, openCallIndex } from '../calls/indexing.ts';
import { addChange, type ChangeSet } from '../engine/changes.ts';
import type { BatchRows } from '../engine/projection.ts';
import { openRowBuffer, type RowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { type Arrivals, openArrivals } from './arrivals.ts';
import { eraseUsage, moveUsage, registerCustomers } from './erasing.ts';
import { openSources } from './sources.ts';
import { applyVoid, type RecordedVoid } from './voiding.ts';
import { writeCalls } from './writing.ts';

/** The most users of a batch that are notified of their own calls. Screens of own usage also refresh by themselves. */
const NOTIFIED_USERS = 100;

/** What a batch adds to the usage group's read models. */
export type UsageRows = BatchRows &
  Readonly<{
    connections: RowBuffer<ConnectionRow>;
    arrivals: Arrivals;
    connected: ConnectedChanges;
    preloadSource: (customerId: CustomerId, sourceId: string) => void;
    preloadCustomer: (customerId: CustomerId) => void;
    /** Whether the customer is deleted, so that its calls no longer count. */
    isDeleted: (customerId: CustomerId) => boolean;
    register: (customerId: CustomerId, integratorId: IntegratorId) => void;
    /** Counts the calls of the event at that location that were not counted before; `at` is when they arrived. */
    record: (data: ApiCallsRecorded['data'], at: string, location: EventLocation) => void;
    /** Remembers what the license of the customer includes from the event on. */
    entitle: (customerId: CustomerId, set: EntitlementsSet) => void;
    /** Takes out what was recorded before; the event is alone in its batch. */
    voidCalls: (recorded: RecordedVoid) => void;
    /** Counts all calls of the customer with another service integrator; the event is alone in its batch. */
    move: (customerId: CustomerId, integratorId: IntegratorId) => void;
    /** Drops the counts of the customer, in this batch and before. */
    erase: (customerId: CustomerId) => void;
  }>;

/** The calls of an event without the sequences of rejected ones. */
const callsIn = (slices: readonly CallSlice[]): number => {
  let calls = 0;
  for (const { columns, from, count } of slices)
    for (let index = from; index < from + count; index++) if (columns.instance[index] !== null) calls += 1;
  return calls;
};

export const openUsageRows = (session: DatabaseSession, schema: string, store: Pick<EventStore, 'read'>): UsageRows => {
  const connections = openRowBuffer<ConnectionRow>(usageConnectionTable, session, schema);
  const deleted = openRowBuffer<DeletedRow>(usageDeletedTable, session, schema);
  const sources = openSources(session, schema);
  const arrivals = openArrivals(session, schema);
  const connected = openConnectedChanges(session, schema);
  const index = openCallIndex(session, schema);
  const merging = openMerging(session, schema);
  const registered = new Map<CustomerId, IntegratorId>();
  const preloaded = new Set<CustomerId>();
  const known = new Map<CustomerId, IntegratorId | null>();
  const calls = createCallGroups();
  const erased = new Set<CustomerId>();
  let voided: RecordedVoid | undefined;
  let moved: Readonly<{ customerId: CustomerId; integratorId: IntegratorId }> | undefined;
  const notIncluded = openNotIncluded(session, schema);
  const changes: ChangeSet = new Map();

  const integratorOf = (customerId: CustomerId): IntegratorId | null => registered.get(customerId) ?? known.get(customerId) ?? null;

  const loadCustomers = async (): Promise<void> => {
    if (preloaded.size === 0) return;
    const rows = await session.query<Pick<CustomerUsageRow, 'customer_id' | 'integrator_id' | 'services'>>(
      `select customer_id, integrator_id, services from ${schema}.customer where customer_id = any($1::uuid[])`,
      [[...preloaded]],
    );
    for (const { customer_id: customerId, integrator_id: integratorId, services } of rows) {
      known.set(customerId, integratorId);
      notIncluded.loaded(customerId, services);
    }
  };

  const addChangesOf = (customerId: CustomerId, integratorId = integratorOf(customerId)): void => {
    const owners = [room.admin, ...(integratorId ? [room.integrator(integratorId)] : [])];
    const watchers = [...owners, room.customer(customerId), room.dashboards(customerId)];
    const topics: [Topic, string[]][] = [
      [topic.usage(customerId), watchers],
      [topic.calls(), owners],
      [topic.customer(customerId), watchers],
      [topic.customers(), owners],
      [topic.stats(), owners],
      [topic.monitoring(), [room.admin]],
    ];
    for (const [changed, rooms] of topics) addChange(changes, { topic: changed, rooms });
  };

  /** Notifies users of their own calls, unless there are so many that their names would fill the notification. */
  const addOwnChanges = (groups: readonly CallGroup[]): void => {
    const callers = new Map<UserId, CustomerId>();
    for (const { userId, customerId } of groups) callers.set(userId, customerId);
    if (callers.size > NOTIFIED_USERS) return;
    for (const [userId, customerId] of callers) addChange(changes, { topic: topic.usage(customerId), rooms: [room.user(userId)] });
  };

  return {
    connections,
    arrivals,
    connected,
    preloadSource: sources.preload,
    preloadCustomer: (customerId) => {
      preloaded.add(customerId);
      deleted.preload(customerId);
    },
    isDeleted: (customerId) => deleted.get(customerId) !== undefined,
    register: (customerId, integratorId) => void registered.set(customerId, integratorId),
    record: ({ customerId, flushes }, arrivedAt, location) => {
      const arrived = arrivals.at(arrivedAt);
      const before = arrived.calls;
      const indexed = index.open(customerId, location);
      let callIndex = 0;
      const slices = flushes.map((flush) => ({ flush, slice: sliceOf(flush) }));
      for (const { flush, slice } of slices) {
        const count = calls.counterOf(customerId, flush.userId, arrivedAt);
        const start = callIndex;
        sources.countOnce(customerId, flush, slice, (first, last) => {
          indexed?.begin(first, start);
          count(slice, { first, last }, arrived, indexed);
          notIncluded.count(customerId, location.position, slice, first, last);
          indexed?.end(last);
        });
        callIndex += slice.count;
      }
      const counted = arrived.calls - before;
      if (counted === 0) return;
      indexed?.finish(counted === callIndex || counted === callsIn(slices.map(({ slice }) => slice)));
    },
    entitle: notIncluded.set,
    voidCalls: (recorded) => {
      if (deleted.get(recorded.subject) === undefined) voided = recorded;
    },
    move: (customerId, integratorId) => {
      if (deleted.get(customerId) === undefined) moved = { customerId, integratorId };
    },
    erase: (customerId) => {
      deleted.put({ customer_id: customerId });
      erased.add(customerId);
      registered.delete(customerId);
      notIncluded.forget(customerId);
      index.forget(customerId);
      for (const { at, cell } of cellsOf(calls.forget(customerId))) arrivals.remove(at, cell.counts);
      sources.forget(customerId);
      connected.forget(customerId);
    },
    load: async () => {
      await Promise.all([connections.load(), deleted.load(), sources.load(), loadCustomers()]);
    },
    finish: async () => {
      const groups = calls.all();
      if (voided) {
        await applyVoid(session, schema, store, voided, integratorOf(voided.subject));
        addChangesOf(voided.subject);
      }
      if (moved) {
        const { customerId, integratorId } = moved;
        await disownTraffic(session, schema, customerId, merging.changed);
        await moveUsage(session, schema, customerId, integratorId);
        await adoptTraffic(session, schema, [customerId], merging.changed);
        for (const owner of [integratorOf(customerId), integratorId]) addChangesOf(customerId, owner);
      }
      for (const customerId of new Set([...groups.map(({ customerId }) => customerId), ...erased])) addChangesOf(customerId);
      addOwnChanges(groups);
      if (erased.size > 0) {
        await eraseTraffic(session, schema, [...erased], merging.changed);
        await eraseUsage(session, schema, [...erased]);
      }
      if (registered.size > 0) {
        const rows = [...registered].map(([customer_id, integrator_id]) => ({ customer_id, integrator_id }));
        const adopted = await registerCustomers(session, schema, rows);
        if (adopted.length > 0) await adoptTraffic(session, schema, adopted, merging.changed);
      }
      await Promise.all([
        groups.length > 0 ? writeCalls(session, schema, groups, integratorOf) : undefined,
        index.flush(),
        notIncluded.flush(),
        writeTraffic(session, schema, cellsOf(groups), integratorOf, merging.changed),
        sources.flush(),
        arrivals.flush(),
        connected.flush(),
        deleted.flush(),
        connections.flush(),
      ]);
      await merging.flush();
      return [];
    },
    changes: () => changes,
  };
};
