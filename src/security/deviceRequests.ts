import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { DEVICE_POLL_S, DEVICE_REQUEST_MS, MAX_DEVICE_REQUESTS, USER_CODE_LENGTH, USER_CODE_LETTERS } from '../domain/limits.ts';
import { decrypt, encrypt } from './envelope.ts';
import { sha256Of } from './sha256.ts';

/** What the machine of a device authorization says about itself, and where the request came from. */
export type DeviceDetails = Readonly<{
  machineId: string;
  machineName: string | null;
  /** Only the user with this email address may approve; null for any. */
  email: string | null;
  address: string | null;
  system: string | null;
  /** ISO-8601 UTC. */
  requestedAt: string;
}>;

/** Who approves, and the session in which that happens: the approval counts as long as the session is open. */
export type DeviceApprover = Readonly<{ customerId: CustomerId; userId: UserId; sessionHash: string }>;

/** A request that waits for a decision; `expiresAt` is ms since 1970. */
export type WaitingDevice = DeviceDetails & Readonly<{ expiresAt: number }>;

/** `unknown`: there is no such code, it has expired, or it was used. */
type DevicePoll =
  | Readonly<{ status: 'approved'; details: DeviceDetails; approver: DeviceApprover }>
  | Readonly<{ status: 'pending' | 'too_fast' | 'rejected' | 'unknown' }>;

/**
 * Device authorizations (RFC 8628) in PostgreSQL, so that start, decision and poll may reach different nodes, also after a restart. Neither
 * code is stored as it is, and each is used once.
 */
export type DeviceRequests = Readonly<{
  /** Starts one; null where too many of the address or of all wait. `source` is the address as limits count it. */
  begin: (details: DeviceDetails, source: string) => Promise<Readonly<{ deviceCode: string; userCode: string }> | null>;
  /** The request of a code that waits for this user's decision; null without one. */
  find: (userCode: string, userId: UserId) => Promise<WaitingDevice | null>;
  /** Reserves the decision for the approver, who may repeat it; null where the request waits no longer. */
  reserve: (userCode: string, approver: DeviceApprover) => Promise<DeviceDetails | null>;
  /** Gives the decision back, after the approval was refused. */
  release: (userCode: string, userId: UserId) => Promise<void>;
  /** Approves what the user has reserved. */
  approve: (userCode: string, userId: UserId) => Promise<void>;
  /** Rejects a request; resolves to whether it waited. */
  reject: (userCode: string, userId: UserId) => Promise<boolean>;
  /** Asks for the decision. Of concurrent polls of an approved request, on any node, one is answered `approved`. */
  poll: (deviceCode: string) => Promise<DevicePoll>;
}>;

const AAD = { request: 'device request v1', approver: 'device approver v1' } as const;
/** A client waits the whole interval after a reply; timers and clocks may be a little off. */
const TOLERANCE = 0.9;
/** Another code is drawn as long as one is taken, which is rare: there are 20^8. */
const ATTEMPTS = 5;

const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS.charAt(randomInt(USER_CODE_LETTERS.length))).join('');

/** `key` has 32 bytes that all nodes share; `now` is ms since 1970. */
export const createDeviceRequests = ({ db, key, now }: { db: Database; key: Buffer; now: () => number }): DeviceRequests => {
  const tagOf = (kind: 'code' | 'source', text: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, text]))
      .digest('hex');
  const seal = (value: unknown, aad: string): string => encrypt(key, Buffer.from(JSON.stringify(value)), aad).toString('base64url');
  const open = <Value>(sealed: string, aad: string): Value =>
    JSON.parse(decrypt(key, Buffer.from(sealed, 'base64url'), aad).toString());
  const at = () => new Date(now());

  const isFull = async (source: string): Promise<boolean> => {
    const { address, all } = MAX_DEVICE_REQUESTS;
    const { rows } = await sql<{ own: number; crowded: boolean }>`
      select (select count(*)::int4 from auth.device_request where source_hash = ${source} and expires_at > ${at()}) as own,
        exists (select from auth.device_request offset ${all - 1}) as crowded`.execute(db);
    return rows[0] === undefined || rows[0].own >= address || rows[0].crowded;
  };

  const insert = async (details: DeviceDetails, source: string) => {
    const [deviceCode, userCode] = [randomBytes(32).toString('base64url'), newUserCode()];
    const { rows } = await sql`
      insert into auth.device_request (device_hash, user_hash, source_hash, request, state, interval_s, expires_at)
      values (${sha256Of(deviceCode)}, ${tagOf('code', userCode)}, ${source}, ${seal(details, AAD.request)}, 'pending',
        ${DEVICE_POLL_S.first}, ${new Date(now() + DEVICE_REQUEST_MS)})
      on conflict (user_hash) do nothing returning device_hash`.execute(db);
    return rows.length === 1 ? { deviceCode, userCode } : null;
  };

  const begin: DeviceRequests['begin'] = async (details, source) => {
    await sql`delete from auth.device_request where expires_at < ${at()}`.execute(db);
    const tag = tagOf('source', source);
    if (await isFull(tag)) return null;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const begun = await insert(details, tag);
      if (begun) return begun;
    }
    throw new Error(`Each of ${ATTEMPTS} user codes is taken`);
  };

  /** The request of a code that waits, or that this user is deciding. */
  const waiting = (userCode: string, userId: UserId) =>
    sql<boolean>`user_hash = ${tagOf('code', userCode)} and expires_at > ${at()}
      and (state = 'pending' or (state = 'deciding' and user_id = ${userId}))`;

  const find: DeviceRequests['find'] = async (userCode, userId) => {
    const { rows } = await sql<{ request: string; expires_at: Date }>`
      select request, expires_at from auth.device_request where ${waiting(userCode, userId)}`.execute(db);
    const [row] = rows;
    return row ? { ...open<DeviceDetails>(row.request, AAD.request), expiresAt: row.expires_at.getTime() } : null;
  };

  const reserve: DeviceRequests['reserve'] = async (userCode, approver) => {
    const { rows } = await sql<{ request: string }>`
      update auth.device_request
      set state = 'deciding', user_id = ${approver.userId}, approver = ${seal(approver, AAD.approver)}
      where ${waiting(userCode, approver.userId)} returning request`.execute(db);
    return rows[0] ? open<DeviceDetails>(rows[0].request, AAD.request) : null;
  };

  const decide = async (userCode: string, userId: UserId, to: 'pending' | 'approved'): Promise<void> => {
    await sql`
      update auth.device_request set state = ${to}
      where user_hash = ${tagOf('code', userCode)} and state = 'deciding' and user_id = ${userId}`.execute(db);
  };

  /** Of concurrent polls one deletes the row. */
  const claim = async (deviceHash: string): Promise<DevicePoll | null> => {
    const { rows } = await sql<{ request: string; approver: string }>`
      delete from auth.device_request where device_hash = ${deviceHash} and state = 'approved' and expires_at > ${at()}
      returning request, approver`.execute(db);
    const [row] = rows;
    if (!row) return null;
    const details = open<DeviceDetails>(row.request, AAD.request);
    return { status: 'approved', details, approver: open<DeviceApprover>(row.approver, AAD.approver) };
  };

  const poll: DeviceRequests['poll'] = async (deviceCode) => {
    const deviceHash = sha256Of(deviceCode);
    const claimed = await claim(deviceHash);
    if (claimed) return claimed;
    const ofCode = sql`device_hash = ${deviceHash} and expires_at > ${at()}`;
    const { rows } = await sql<{ state: string }>`
      update auth.device_request set polled_at = clock_timestamp()
      where ${ofCode} and (polled_at is null or polled_at < clock_timestamp() - make_interval(secs => interval_s * ${TOLERANCE}::float8))
      returning state`.execute(db);
    if (rows[0]) return { status: rows[0].state === 'rejected' ? 'rejected' : 'pending' };
    const { rows: early } = await sql`
      update auth.device_request
      set polled_at = clock_timestamp(), interval_s = least(interval_s + ${DEVICE_POLL_S.slower}, ${DEVICE_POLL_S.longest})
      where ${ofCode} returning state`.execute(db);
    return { status: early.length > 0 ? 'too_fast' : 'unknown' };
  };

  return {
    begin,
    find,
    reserve,
    release: (userCode, userId) => decide(userCode, userId, 'pending'),
    approve: (userCode, userId) => decide(userCode, userId, 'approved'),
    reject: async (userCode, userId) => {
      const { rows } = await sql`
        update auth.device_request set state = 'rejected', user_id = ${userId}
        where ${waiting(userCode, userId)} returning state`.execute(db);
      return rows.length === 1;
    },
    poll,
  };
};
