import type { ApiCallBatch } from '../../../src/commands/apiCalls.ts';
import type { AdminKeyRotated, AdminSignedIn, AdminSignInRefused } from '../../../src/domain/adminActivity/events.ts';
import type { ApiCallsRecorded, RecordedCall } from '../../../src/domain/apiCalls/events.ts';
import type { SeatKind } from '../../../src/domain/enumerations.ts';
import type { SeatDenied } from '../../../src/domain/seatDenials/events.ts';
import type { SeatHeldOffline, SeatLeased, SeatLeaseEnded } from '../../../src/domain/seatLeases/events.ts';
import type { SignInsRecorded } from '../../../src/domain/signIns/events.ts';
import type {
  DisconnectReason,
  UserAuthenticated,
  UserConnected,
  UserDisconnected,
} from '../../../src/domain/userActivity/events.ts';
import { connectionIdOf, customerIdOf, userIdOf } from './ids.ts';

const ofUser = (user: string) => ({ userId: userIdOf(user), customerId: customerIdOf() });

export const userAuthenticated = (user = 'ada'): UserAuthenticated => ({ type: 'UserAuthenticated', data: ofUser(user) });
export const userConnected = (user = 'ada', node = 'node-1'): UserConnected => ({
  type: 'UserConnected',
  data: { ...ofUser(user), connectionId: connectionIdOf(), node },
});
export const userDisconnected = (user = 'ada', reason: DisconnectReason = 'closed'): UserDisconnected => ({
  type: 'UserDisconnected',
  data: { ...ofUser(user), connectionId: connectionIdOf(), reason },
});

export const seatDenied = (overrides: Partial<SeatDenied['data']> = {}): SeatDenied => ({
  type: 'SeatDenied',
  data: {
    customerId: customerIdOf(),
    userId: null,
    username: 'ada',
    kind: 'developer',
    reason: 'seat_limit_reached',
    count: 1,
    firstAt: '2026-01-31T11:59:30.000Z',
    lastAt: '2026-01-31T11:59:30.000Z',
    ...overrides,
  },
});

export const seatLeased = (user = 'ada', kind: SeatKind = 'developer'): SeatLeased => ({
  type: 'SeatLeased',
  data: { userId: userIdOf(user), kind },
});
export const seatHeldOffline = (until = '2026-02-07T12:00:00.000Z', user = 'ada'): SeatHeldOffline => ({
  type: 'SeatHeldOffline',
  data: { userId: userIdOf(user), kind: 'developer', until },
});
export const seatLeaseEnded = (user = 'ada', overrides: Partial<SeatLeaseEnded['data']> = {}): SeatLeaseEnded => ({
  type: 'SeatLeaseEnded',
  data: { userId: userIdOf(user), kind: 'developer', reason: 'unused', lastUsedAt: '2026-01-31T11:45:00.000Z', ...overrides },
});

export const recordedCall = (overrides: Partial<RecordedCall> = {}): RecordedCall => ({
  service: 'jira',
  instanceUrl: 'https://acme.example',
  operation: 'GET:/issue',
  ok: true,
  status: 200,
  durationMs: 42,
  at: '2026-01-31T11:59:59.000Z',
  ...overrides,
});
export const apiCallBatch = (overrides: Partial<ApiCallBatch> = {}): ApiCallBatch => ({
  ...ofUser('ada'),
  sourceId: 'laptop',
  firstSequence: 1,
  calls: [recordedCall(), null, recordedCall({ service: 'azdo', ok: false, status: null })],
  ...overrides,
});
/** One event of batches of one customer. */
export const apiCallsJoined = (first: ApiCallBatch, ...more: readonly ApiCallBatch[]): ApiCallsRecorded => ({
  type: 'ApiCallsRecorded',
  data: {
    customerId: first.customerId,
    flushes: [first, ...more].map(({ userId, sourceId, firstSequence, calls }) => ({ userId, sourceId, firstSequence, calls })),
  },
});
export const apiCallsRecorded = (overrides: Partial<ApiCallBatch> = {}): ApiCallsRecorded =>
  apiCallsJoined(apiCallBatch(overrides));

export const adminSignedIn = (): AdminSignedIn => ({ type: 'AdminSignedIn', data: {} });
export const adminSignInRefused = (reason: 'wrong_key' | 'too_many_attempts' = 'wrong_key'): AdminSignInRefused => ({
  type: 'AdminSignInRefused',
  data: { reason },
});
export const adminKeyRotated = (): AdminKeyRotated => ({ type: 'AdminKeyRotated', data: {} });
export const signInsRecorded = (overrides: Partial<SignInsRecorded['data']> = {}): SignInsRecorded => ({
  type: 'SignInsRecorded',
  data: {
    audience: 'customer',
    outcome: 'rejected',
    reason: null,
    method: 'key',
    address: '203.0.113.9',
    customerId: null,
    integratorId: null,
    userId: null,
    fingerprint: '3f9a12c07be4',
    keys: 1,
    count: 1,
    firstAt: '2026-01-31T11:59:30.000Z',
    lastAt: '2026-01-31T12:00:00.000Z',
    ...overrides,
  },
});
