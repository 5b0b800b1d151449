import type { EventMeta } from '../../../src/domain/event.ts';

/** Who, when and why of a test's commands and events. */
export const metaOf = (overrides: Partial<EventMeta> = {}): EventMeta => ({
  actor: { kind: 'admin', id: 'admin' },
  commandId: '00000000-0000-4000-8000-000000000001',
  correlationId: '00000000-0000-4000-8000-000000000002',
  causationId: null,
  at: '2026-01-31T12:00:00.000Z',
  ...overrides,
});

/** A command of the given type; data is checked against the union that it is used as. */
export const commandOf = <const T extends string, const D extends object>(type: T, data: D, meta: Partial<EventMeta> = {}) => ({
  type,
  data,
  meta: metaOf(meta),
});
