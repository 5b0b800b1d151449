import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { LeafEvent } from '../auditLog/leaf.ts';
import type { recordUserActivity } from '../commands/activity.ts';
import type { ApiCallRecorder } from '../commands/apiCalls.ts';
import type { CustomerAsOf, CustomerChange, IntegratorAsOf, tenantChanges } from '../commands/asOf.ts';
import type { Commands } from '../commands/commands.ts';
import type { SeatDenialRecorder } from '../commands/seatDenials.ts';
import type { seatUse } from '../commands/seatUse.ts';
import type { SignInRecorder } from '../commands/signIns.ts';
import type { InvitationEmail } from '../contracts/team.ts';
import type { Database } from '../database/database.ts';
import type { Tenant } from '../database/tenants.ts';
import type { Service } from '../domain/enumerations.ts';
import type { CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import type { Logo } from '../outbound/logo.ts';
import type { OpenId } from '../outbound/openId.ts';
import type { VerifyDomain } from '../outbound/verifyDomain.ts';
import type { VerifyEmailDomain } from '../outbound/verifyEmailDomain.ts';
import type { AuditLog } from '../projections/auditLog/auditLog.ts';
import type { ClaimCalls } from '../projections/callQuotas/claims.ts';
import type { Changes } from '../projections/engine/changes.ts';
import type { Queries } from '../projections/queries.ts';
import type { AccountGuesses } from '../security/accountGuesses.ts';
import type { ApiTokens } from '../security/apiTokens.ts';
import type { DeviceRequests } from '../security/deviceRequests.ts';
import type { EmailDomains } from '../security/emailDomains.ts';
import type { OneTimePasswords } from '../security/oneTimePasswords.ts';
import type { OpenIdStates } from '../security/openIdStates.ts';
import type { Passkeys } from '../security/passkeys.ts';
import type { Passwords } from '../security/passwords.ts';
import type { SeatUses } from '../security/seatUses.ts';
import type { Sessions } from '../security/sessions.ts';
import type { SignInLocations } from '../security/signInLocations.ts';
import type { SignInPermits } from '../security/signInPermits.ts';
import type { SignInTiers } from '../security/signInTiers.ts';
import type { SignInTurns } from '../security/signInTurns.ts';
import type { SigningKeys } from '../security/signingKeys.ts';
import type { Vault } from '../security/vault.ts';
import type { EmailCounts, HealthProbe } from './health.ts';
import type { Quotas } from './limits.ts';
import type { CountLimit, Gauges } from './requests/metrics.ts';
import type { Origins } from './requests/origins.ts';

/** The Fastify instance, with request and reply types from zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Tests a credential against its service; `detail` is a sentence for users and contains no secret. */
type CredentialTest = (
  credential: Readonly<{
    service: Service;
    instanceUrl: string;
    username: string;
    password: string | null;
    apiToken: string | null;
  }>,
) => Promise<Readonly<{ ok: boolean; detail: string; durationMs: number }>>;

/** What the environment decides about the edge. */
export type HttpSettings = Readonly<{
  productName: string;
  keyPrefix: string;
  portalHost: string;
  /** Shown in the console's header. */
  adminEmail: string | null;
  /** Whether a mail server is configured. */
  sendsEmails: boolean;
  /** For how many days sign-ins are kept. */
  signInRetentionDays: number;
  publicOrigins: readonly string[];
  /** Names this server answers for beside loopback and the public origins. */
  hosts: readonly string[];
  trustProxy: false | readonly string[];
  version: string;
  /** Lets a scraper read `/metrics`; null where only administrators may. */
  metricsToken: string | null;
  /** Whether the description of the API and its reader are served. */
  apiDocs: boolean;
  /** The built console; null where none is served. */
  webRoot: string | null;
  logLevel: string;
}>;

/** Generates keys with the product's prefix, and digests them with its pepper. */
type LicenseKeys = Readonly<{
  newLicense: (tier: string) => string;
  newMasterLicense: () => string;
  digest: (key: string) => Buffer;
}>;

/** An event appended past the deciders, with the store already given. */
type Appending<Append> = Append extends (events: infer _Store, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** All dependencies of the HTTP layer, which reads nothing from the environment. */
export type HttpDeps = Readonly<{
  settings: HttpSettings;
  db: Database;
  commands: Commands;
  /** Reads the rows of all tenants, for sign-ins, background work and administrators. A request reads by `request.queries`. */
  systemQueries: Queries;
  /** Reads the rows of the tenant only; none for null. */
  queriesOf: (tenant: Tenant | null) => Queries;
  /** Resolves to false when the read models have not caught up in time. */
  waitUntil: (position: bigint, timeoutMs: number) => Promise<boolean>;
  listenForChanges: (onChanges: (changes: Changes) => void) => () => void;
  customerAsOf: (customerId: CustomerId, at: string) => Promise<CustomerAsOf | null>;
  integratorAsOf: (integratorId: IntegratorId, at: string) => Promise<IntegratorAsOf | null>;
  seatUse: Appending<typeof seatUse>;
  customerChange: (customerId: CustomerId, eventId: string) => Promise<CustomerChange | null>;
  tenantChanges: ReturnType<typeof tenantChanges>;
  recordCalls: ApiCallRecorder;
  claimCalls: ClaimCalls;
  recordUserActivity: Appending<typeof recordUserActivity>;
  sessions: Sessions;
  apiTokens: ApiTokens;
  permits: SignInPermits;
  tiers: SignInTiers;
  turns: SignInTurns;
  seatDenials: SeatDenialRecorder;
  seatUses: SeatUses;
  signIns: SignInRecorder;
  /** Names a key without disclosing it. */
  fingerprint: (key: string) => string;
  passwords: Passwords;
  oneTimePasswords: OneTimePasswords;
  signInLocations: SignInLocations;
  accountGuesses: AccountGuesses;
  passkeys: Passkeys;
  /** How many emails wait, and how many were sent or failed lately. */
  outboxCounts: () => Promise<EmailCounts>;
  /** Whether the emails of the newest invitations of a team's members were sent. */
  invitationEmails: (teamId: TeamId) => Promise<ReadonlyMap<UserId, InvitationEmail>>;
  /** 32 bytes that the tokens of invitations are made with. */
  invitationSecret: Buffer;
  /** `source` is the client's address, which shares the verification of keys fairly with others. */
  verifyAdminKey: (key: string, source: string) => Promise<boolean>;
  testCredential: CredentialTest;
  verifyDomain: VerifyDomain;
  emailDomains: EmailDomains;
  verifyEmailDomain: VerifyEmailDomain;
  openId: OpenId;
  openIdStates: OpenIdStates;
  deviceRequests: DeviceRequests;
  /** The picture at an https address that a user entered; null if there is none. */
  fetchLogo: (url: string) => Promise<Logo | null>;
  keys: LicenseKeys;
  auditLog: AuditLog;
  signingKeys: Pick<SigningKeys, 'sign' | 'publicKeys'>;
  /** The event of a position and id as it is stored, undecoded; null if it was deleted. */
  storedAt: (position: bigint, id: string) => Promise<LeafEvent | null>;
  vault: Pick<Vault, 'keyFor'>;
  /** 32 bytes that seal the replies kept for idempotency keys that hold no tenant's data. */
  replySecret: Buffer;
  /** 32 bytes that seal the cookies of prepared downloads. */
  downloadSecret: Buffer;
  /** The health checks by name. */
  probes: Readonly<Record<string, HealthProbe>>;
  /** Other quotas than `QUOTAS`. */
  quotas?: Partial<Quotas>;
  /** Names this process among the nodes. */
  node: string;
  /** Where the log goes; standard output when absent. */
  log?: { write: (line: string) => void };
  /** ms since 1970 */
  now: () => number;
  /** A UUID. */
  newId: () => string;
}>;

/** What the edge gives to the live feed, which shares its origins, limits and counters. */
export type LiveDeps = HttpDeps & Readonly<{ origins: Origins; onRejected: CountLimit; quotas: Quotas }>;

/** Mounts the live feed, and returns its health checks and its gauges for Prometheus. `src/live` implements it. */
export type MountLive = (app: App, deps: LiveDeps) => Promise<Readonly<{ probes: Record<string, HealthProbe>; gauges: Gauges }>>;

/** Waits until the read models hold what a command did, so that the next GET shows it, and says where that is. */
export type Settle = (reply: FastifyReply, position: bigint | null) => Promise<void>;

/** Registers the routes of one resource. */
export type Routes<Deps = HttpDeps> = (app: App, deps: Deps & { settle: Settle }) => void;
