declare const brand: unique symbol;

/** A string that identifies one kind of object. Created only in contracts and codecs. */
type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** A UUID in lower case that names a customer. */
export type CustomerId = Id<'customer'>;
/** A UUID in lower case that names a service integrator. */
export type IntegratorId = Id<'integrator'>;
/** A UUID in lower case that names a user of one tenant. A customer's user has the same one as member of its team. */
export type UserId = Id<'user'>;
/** A UUID in lower case that names a custom theme; built-in themes have names instead. */
export type ThemeId = Id<'theme'>;
/** A UUID in lower case that names a customer's credential. */
export type CredentialId = Id<'credential'>;
/** One request of a machine for approval. */
export type MachineRequestId = Id<'machineRequest'>;
/** A UUID in lower case that names an offline license. */
export type OfflineLicenseId = Id<'offlineLicense'>;
/** Identifies a user's machine in replies; the machine id itself is a secret of the machine. */
export type PublicMachineId = Id<'publicMachine'>;
/** A UUID that a tool generates for its socket and keeps when it reconnects. */
export type ConnectionId = Id<'connection'>;
/** A UUID in lower case that names a session; it is no secret, unlike the session's token. */
export type SessionId = Id<'session'>;
/** Names the team of a tenant; `teamIdOf` makes it. */
export type TeamId = Id<'team'>;
/** One configuration of an identity provider, from when it is added until it is removed. */
export type IdentityProviderId = Id<'identityProvider'>;
/** A UUID in lower case that names an API token of a tenant. */
export type ApiTokenId = Id<'apiToken'>;
/** A UUID in lower case that names a void: calls that do not count any more. */
export type CallVoidId = Id<'callVoid'>;
/** A notice to one or more members, until each dismisses it. */
export type NoticeId = Id<'notice'>;
/** Three capital letters that name a plan: the tier in the keys of its licenses. */
export type PlanCode = Id<'plan'>;
/** The UUID of an alert rule. */
export type AlertRuleId = Id<'alertRule'>;
/** The UUID of one alert of a rule, from when it fires until it is resolved. */
export type AlertId = Id<'alert'>;
/** One invitation of a member. */
export type InvitationId = Id<'invitation'>;
/** A UUID in lower case that names a passkey, which its authenticator names otherwise. */
export type PasskeyId = Id<'passkey'>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is a UUID in lower case, as ids are stored and shown. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The UUID that names nothing. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
