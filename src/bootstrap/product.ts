import { hkdfSync, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Logger } from 'pino';
import { originOf } from '../auditLog/checkpoint.ts';
import { newSigningKey } from '../auditLog/signedNote.ts';
import { createApiCallRecorder } from '../commands/apiCalls.ts';
import { hasCallsAfter, readCallEvents } from '../commands/callEvents.ts';
import { type Commands, createCommands } from '../commands/commands.ts';
import { createSeatDenialRecorder, type SeatDenialRecorder } from '../commands/seatDenials.ts';
import { shareReads } from '../commands/shareReads.ts';
import { createSignInRecorder, type SignInRecorder } from '../commands/signIns.ts';
import { connectDatabase, type Database } from '../database/database.ts';
import { listenTo, type Notices } from '../database/listen.ts';
import { prepareDatabase } from '../database/prepare.ts';
import type { RoleFinding } from '../database/roles.ts';
import { connectTenants, type Tenant } from '../database/tenants.ts';
import { ERASED } from '../domain/event.ts';
import { DEFAULT_SIGN_IN_RETENTION_DAYS } from '../domain/limits.ts';
import { createEventStore } from '../eventstore/adapter.ts';
import { ACTOR_ADDRESS, type EventStore, type StoredEvents } from '../eventstore/port.ts';
import { traceAppends } from '../eventstore/traceAppends.ts';
import { loadApiToken } from '../http/apiTokens.ts';
import { PRESENCE_CHANNEL } from '../live/presence.ts';
import { type AuditLog, createAuditLog } from '../projections/auditLog/auditLog.ts';
import { type ClaimCalls, createCallClaims } from '../projections/callQuotas/claims.ts';
import { CHANNELS } from '../projections/engine/changes.ts';
import { createQueries, createTenantQueries, type Queries } from '../projections/queries.ts';
import type { QueryDeps } from '../projections/queryDeps.ts';
import { limitCallCounts } from '../projections/usage/filtered.ts';
import { type AccountGuesses, createAccountGuesses } from '../security/accountGuesses.ts';
import { API_TOKENS_CHANNEL, type ApiTokens, createApiTokens } from '../security/apiTokens.ts';
import { createAuditKeys } from '../security/auditKeys.ts';
import { createEmailDomains, type EmailDomains } from '../security/emailDomains.ts';
import { keyDigest, keyFingerprint } from '../security/keys.ts';
import { masterSecretOf } from '../security/masterSecret.ts';
import { createOneTimePasswords, type OneTimePasswords } from '../security/oneTimePasswords.ts';
import { actorOwner } from '../security/owner.ts';
import { createPasskeys, type Passkeys } from '../security/passkeys.ts';
import { createPasswords, type PasswordCost, type Passwords } from '../security/passwords.ts';
import { createSealing, type Sealing } from '../security/sealing.ts';
import { createSeatUses, type SeatUses } from '../security/seatUses.ts';
import { SESSIONS_CHANNEL } from '../security/sessionRows.ts';
import { createSessions, type Sessions } from '../security/sessions.ts';
import { createSignInLocations, type SignInLocations } from '../security/signInLocations.ts';
import { createSignInPermits, type SignInPermits } from '../security/signInPermits.ts';
import { createSignInTiers, type SignInTiers } from '../security/signInTiers.ts';
import { createSignInTurns, type SignInTurns } from '../security/signInTurns.ts';
import { createSigningKeys, type SigningKeys } from '../security/signingKeys.ts';
import { createVault, DataKeyDestroyed, type Vault } from '../security/vault.ts';
import { isTracing } from '../tracing/spans.ts';

/** What every role of the product works with. */
export type Product = Readonly<{
  /** Reads and writes every row, as the system. */
  databaseUrl: string;
  /** Logs in as the owner of the schemas: migrations, and rebuilds of read models. */
  ownerUrl: string;
  /** Problems with the roles behind DATABASE_URL. */
  roleFindings: readonly RoleFinding[];
  db: Database;
  pool: pg.Pool;
  notices: Notices;
  vault: Vault;
  sealing: Sealing;
  passwords: Passwords;
  oneTimePasswords: OneTimePasswords;
  signInLocations: SignInLocations;
  accountGuesses: AccountGuesses;
  passkeys: Passkeys;
  emailDomains: EmailDomains;
  sessions: Sessions;
  apiTokens: ApiTokens;
  permits: SignInPermits;
  tiers: SignInTiers;
  turns: SignInTurns;
  seatDenials: SeatDenialRecorder;
  seatUses: SeatUses;
  signIns: SignInRecorder;
  /** Whole UTC days for which sign-ins are kept. */
  signInRetentionDays: number;
  events: EventStore & StoredEvents;
  commands: Commands;
  recordCalls: ReturnType<typeof createApiCallRecorder>;
  claimCalls: ClaimCalls;
  /** Reads the rows of all tenants. */
  queries: Queries;
  /** Queries that read only rows of the tenant; no rows for null. */
  queriesOf: (tenant: Tenant | null) => Queries;
  /** The Merkle tree over all events: checkpoints and proofs. */
  auditLog: AuditLog;
  /** The keys that sign offline licenses and statements of usage. */
  signingKeys: SigningKeys;
  digest: (key: string) => Buffer;
  /** Names a key without disclosing it. */
  fingerprint: (key: string) => string;
  /** 32 bytes of their own for each purpose. */
  secretFor: (purpose: string) => Buffer;
  /** Names this process among the nodes. */
  node: string;
  now: () => number;
  newId: () => string;
  /** From 0 up to 1. */
  random: () => number;
  close: () => Promise<void>;
}>;

/** How queries open envelopes of events. */
export const openingWith = (sealing: Pick<Sealing, 'reopen'>): Pick<QueryDeps, 'open' | 'openAddress'> => ({
  open: async (owner, id, eventType, field, sealed) => sealing.reopen(sealed, { owner: `${owner}:${id}`, eventType, field }),
  openAddress: async (actor, at, eventType, sealed) => {
    const owner = actorOwner(actor, at);
    return owner === null ? ERASED : sealing.reopen(sealed, { owner, eventType, field: ACTOR_ADDRESS });
  },
});

/** Connects to both stores, brings the database up to date and wires the write side and the queries. */
export const openProduct = async ({
  databaseUrl: loginUrl,
  ownerUrl: givenOwnerUrl = null,
  eventStoreUrl,
  masterSecret,
  otherSecrets = [],
  signInRetentionDays = DEFAULT_SIGN_IN_RETENTION_DAYS,
  openEvents = createEventStore,
  passwordCost,
  now = () => Date.now(),
  log,
}: {
  databaseUrl: string;
  /** Null where DATABASE_OWNER_URL is not given. */
  ownerUrl?: string | null;
  eventStoreUrl: string;
  masterSecret: Buffer;
  /** Secrets that may have wrapped some data keys, while a rotation is not finished. */
  otherSecrets?: readonly Buffer[];
  signInRetentionDays?: number;
  openEvents?: typeof createEventStore;
  /** The cost of `createPasswords` by default. */
  passwordCost?: PasswordCost | undefined;
  /** ms since 1970 */
  now?: () => number;
  log: Logger;
}): Promise<Product> => {
  const secret = masterSecretOf(masterSecret);
  const onError = (err: Error): void => log.warn({ err }, 'Connection lost during migrations');
  const { urls, findings } = await prepareDatabase(loginUrl, givenOwnerUrl, { onError });
  for (const { code, message } of findings) log[code === 'no_owner' ? 'info' : 'warn']({ code }, message);
  const databaseUrl = urls.system;
  const { db, pool, lookUp } = connectDatabase(databaseUrl, {
    onError: (err) => log.warn({ err }, 'An idle connection to PostgreSQL was lost'),
  });
  const tenants = connectTenants(urls.tenant, {
    onError: (err) => log.warn({ err }, 'An idle connection to PostgreSQL was lost'),
  });
  const vault = createVault({ db, masterSecret: secret, previousSecrets: otherSecrets.map(masterSecretOf) });
  const sealing = createSealing(vault);
  const notices = listenTo(databaseUrl, [...CHANNELS, SESSIONS_CHANNEL, API_TOKENS_CHANNEL, PRESENCE_CHANNEL], {
    onError: (err) => log.warn({ err }, 'Connection for PostgreSQL notifications lost'),
  });
  try {
    await vault.check();
    await notices.start();
  } catch (error) {
    await notices.close();
    await tenants.close();
    await db.destroy();
    throw error;
  }
  const opened = openEvents({ url: eventStoreUrl, sealing });
  const events = isTracing() ? traceAppends(opened) : opened;
  const sessions = createSessions({ db, notices, now, onError: (err) => log.warn({ err }, 'Sessions could not be updated') });
  const reading: Omit<QueryDeps, 'lookUp'> = {
    ...openingWith(sealing),
    readCalls: (...asked) => readCallEvents(events, ...asked),
    hasCallsAfter: (...asked) => hasCallsAfter(events, ...asked),
    callCounts: limitCallCounts(),
    now: () => new Date(now()),
  };
  const secretFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterSecret, '', purpose, 32));
  const fingerprintSecret = secretFor('key fingerprints v1');
  const background = (err: unknown): void => log.warn({ err }, 'Wrong keys could not be counted');
  const clock = (): number => performance.now();
  const permits = createSignInPermits({ db, now: clock, onError: background });
  const tiers = createSignInTiers({ db, now: clock, onError: background });
  const turns = createSignInTurns({ now: clock });
  const accountGuesses = createAccountGuesses({ db, pepper: secretFor('account guesses v1'), now, onError: background });
  const signIns = createSignInRecorder({
    events,
    now,
    newId: () => randomUUID(),
    isErased: (error) => error instanceof DataKeyDestroyed,
    onError: (err) => log.warn({ err }, 'Sign-ins could not be recorded'),
  });
  const seatDenials = createSeatDenialRecorder({
    events,
    now,
    newId: () => randomUUID(),
    isErased: (error) => error instanceof DataKeyDestroyed,
    onError: (err) => log.warn({ err }, 'Refused seats could not be recorded'),
  });
  const commands = createCommands({ events });
  const queries = createQueries(db, { ...reading, lookUp });
  const auditKeys = createAuditKeys({ db, sealing, newKey: (logId) => newSigningKey(originOf(logId)), now });
  const apiTokens = createApiTokens({
    db,
    notices,
    sessions,
    load: loadApiToken({ commands, systemQueries: queries, now }),
    now,
    onError: (err) => log.warn({ err }, 'Uses of API tokens could not be written'),
  });
  const seatUses = createSeatUses({ db, now });
  return {
    databaseUrl,
    ownerUrl: urls.owner,
    roleFindings: findings,
    db,
    pool,
    notices,
    vault,
    sealing,
    passwords: createPasswords({ cost: passwordCost }),
    signInLocations: createSignInLocations({ db, pepper: secretFor('sign-in places v1'), now }),
    accountGuesses,
    oneTimePasswords: createOneTimePasswords({ db, pepper: secretFor('recovery codes v1'), now }),
    passkeys: createPasskeys({ db, secret: secretFor('passkey challenges v1'), now }),
    emailDomains: createEmailDomains({ db, secret: secretFor('email domains v1'), now }),
    sessions,
    apiTokens,
    permits,
    tiers,
    turns,
    seatDenials,
    // Many users who find no free seat at the same time look at the uses together.
    seatUses: { ...seatUses, of: shareReads(seatUses.of) },
    signIns,
    signInRetentionDays,
    events,
    commands,
    recordCalls: createApiCallRecorder({ events }),
    claimCalls: createCallClaims(db, now),
    queries,
    queriesOf: (tenant) => createTenantQueries(tenants, tenant, db, reading),
    auditLog: createAuditLog({ db, keys: auditKeys, now }),
    signingKeys: createSigningKeys({ db, sealing, now }),
    digest: (key) => keyDigest(secret.pepper, key),
    fingerprint: (key) => keyFingerprint(fingerprintSecret, key),
    secretFor,
    node: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    now,
    newId: () => randomUUID(),
    random: Math.random,
    close: async () => {
      await apiTokens.close();
      await sessions.close();
      await signIns.close();
      await seatDenials.close();
      permits.close();
      accountGuesses.close();
      await tiers.close().catch(background);
      await events.close();
      await notices.close();
      await tenants.close();
      await db.destroy();
    },
  };
};
