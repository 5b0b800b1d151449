declare const brand: unique symbol;

/** A string that is known to name one kind of thing. Made only in contracts and codecs. */
type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type CustomerId = Id<'customer'>;
export type IntegratorId = Id<'integrator'>;
export type UserId = Id<'user'>;
export type ThemeId = Id<'theme'>;
export type CredentialId = Id<'credential'>;
export type ConnectionId = Id<'connection'>;
