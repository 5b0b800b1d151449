import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { recordAdminActivity, recordUserActivity } from '../commands/activity.ts';
import type { ApiCallRecorder } from '../commands/apiCalls.ts';
import type { CustomerAsOf } from '../commands/asOf.ts';
import type { Dispatch } from '../commands/dispatch.ts';
import type { Database } from '../database/database.ts';
import type { Service } from '../domain/credential/events.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { Changes } from '../projections/changes.ts';
import type { Queries } from '../projections/queries.ts';
import type { Passwords } from '../security/passwords.ts';
import type { Sessions } from '../security/sessions.ts';
import type { SignInBudget } from '../security/signInBudget.ts';
import type { ProveDomain } from './customDomains/proof.ts';
import type { HealthProbe } from './health.ts';
import type { Connections } from './live/connections.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Tries a credential against its service; `detail` is for people and holds no secret. */
export type CredentialTest = (
  credential: Readonly<{ service: Service; instanceUrl: string; username: string; password: string; apiToken: string | null }>,
) => Promise<Readonly<{ ok: boolean; detail: string; durationMs: number }>>;

/** What the environment decides about the edge. */
export type HttpSettings = Readonly<{
  productName: string;
  keyPrefix: string;
  portalHost: string;
  /** Shown in the console's header. */
  adminEmail: string | null;
  publicOrigins: readonly string[];
  /** Names this server answers for beside loopback and the public origins. */
  hosts: readonly string[];
  trustProxy: false | readonly string[];
  version: string;
  /** The built console; null where none is served. */
  webRoot: string | null;
  logLevel: string;
}>;

/** Keys are made, and looked up, with the product's prefix and pepper. */
export type LicenseKeys = Readonly<{ newLicense: () => string; newMasterLicense: () => string; digest: (key: string) => Buffer }>;

/** An event appended past the deciders, with the store already given. */
type Appending<Append> = Append extends (events: infer _Store, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** Everything the edge works with. Nothing of it is looked up anywhere else. */
export type HttpDeps = Readonly<{
  settings: HttpSettings;
  db: Database;
  dispatch: Dispatch;
  queries: Queries;
  /** Resolves to false when the read models have not caught up in time. */
  waitUntil: (position: bigint, timeoutMs: number) => Promise<boolean>;
  listenForChanges: (onChanges: (changes: Changes) => void) => () => void;
  customerAsOf: (customerId: CustomerId, at: string) => Promise<CustomerAsOf | null>;
  recordCalls: ApiCallRecorder;
  recordUserActivity: Appending<typeof recordUserActivity>;
  recordAdminActivity: Appending<typeof recordAdminActivity>;
  sessions: Sessions;
  connections: Connections;
  budget: SignInBudget;
  passwords: Passwords;
  verifyAdminKey: (key: string) => Promise<boolean>;
  testCredential: CredentialTest;
  proveDomain: ProveDomain;
  keys: LicenseKeys;
  /** 32 bytes that seal the replies kept for idempotency keys. */
  replySecret: Buffer;
  /** What is asked for the health screen, by name. */
  probes: Readonly<Record<string, HealthProbe>>;
  /** Names this process among the nodes. */
  node: string;
  /** Where the log goes; standard output when absent. */
  log?: { write: (line: string) => void };
  /** ms since 1970 */
  now: () => number;
  /** A UUID. */
  newId: () => string;
}>;

/** Waits until the read models hold what a command did, so that the next GET shows it, and says where that is. */
export type Settle = (reply: FastifyReply, position: bigint | null) => Promise<void>;

export type Routes<Deps = HttpDeps> = (app: App, deps: Deps & { settle: Settle }) => void;
