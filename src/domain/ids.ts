declare const brand: unique symbol;

/** A string that identifies one kind of object. Created only in contracts and codecs. */
type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type CustomerId = Id<'customer'>;
export type IntegratorId = Id<'integrator'>;
export type UserId = Id<'user'>;
export type ThemeId = Id<'theme'>;
export type CredentialId = Id<'credential'>;
/** One request of a machine for approval. */
export type MachineRequestId = Id<'machineRequest'>;
/** Identifies a user's machine in replies; the machine id itself is a secret of the machine. */
export type PublicMachineId = Id<'publicMachine'>;
export type ConnectionId = Id<'connection'>;
