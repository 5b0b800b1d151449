const KB = 1024;

/**
 * The `bodyLimit` of routes, in bytes: the longest texts of their contracts fit in, with every character escaped. `short` holds where
 * a route names no other.
 */
export const BODY_LIMIT = {
  short: 4 * KB,
  form: 32 * KB,
  records: 64 * KB,
  secrets: 64 * KB,
  calls: 1024 * KB,
  importFile: 16 * 1024 * KB,
} as const;

/** A value in a body is at most this deep; the deepest contract needs 3. */
export const MAX_DEPTH = 16;
/** Fields that one object may have; the largest contract has 12. */
export const MAX_FIELDS = 100;

/** Characters of a path with its query: more than any search, cursor and filter take together. */
export const MAX_ADDRESS = 8_192;

/** Headers of a request. Node.js drops further ones, among them what a proxy adds at the end, so they are rejected. */
export const MAX_HEADERS = 100;

/** A body that arrives in more pieces than these, and one more for every `BYTES_A_PIECE`, costs more to receive than to read. */
export const PIECES = 64;
/** Fewer than the smallest packet of an IP network carries. */
export const BYTES_A_PIECE = 256;

/** Things that are wrong with a request which a reply lists; of the others it gives the number. */
export const MAX_ISSUES = 20;

/**
 * Limits of concurrent use. An address is an IPv4 address or an IPv6 /64, behind which may be the network of a whole company; loopback
 * and trusted proxies, which bring the connections of others, count for none.
 */
export const QUOTAS = {
  connectionsPerAddress: 2_000,
  /** Sockets before authentication: of one address, and on this node. A thousand tools may reconnect together. */
  handshakesPerAddress: 1_000,
  handshakes: 4_000,
  /** Sockets of one customer's tools, and of the browsers that show one account, on this node. */
  toolsPerTenant: 20_000,
  browsersPerTenant: 1_000,
  /** Credential tests: of one customer, and on this node. */
  credentialTestsPerTenant: 4,
  credentialTests: 40,
  /** Imports of files: of one tenant, and on this node. Each holds a file of up to 16 MB and parses it in one go. */
  importsPerTenant: 2,
  imports: 6,
  /** A client that takes nothing of a reply for so long, or not all of it within the other, has stopped reading. */
  readerIdleMs: 30_000,
  readerTotalMs: 600_000,
  /** How long the reply to a command waits for the read models. */
  readModelsMs: 2_000,
} as const;

/** The limits of concurrent use by name, so that tests can replace them. */
export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/** Replies up to this size are written in one piece, so that no reader delays them. */
export const READER_BYTES = 64 * KB;
