import type { EventStoreDBClient } from '@eventstore/db-client';

/**
 * The protected members of the client that the adapter uses, because its public API cannot close a connection, open an RPC of
 * one's own or start a scavenge. No other file accesses them, and `tests/eventstore/clientInternals.test.ts` checks them.
 */
export const clientInternals = (client: EventStoreDBClient) => ({
  // biome-ignore-start lint/complexity/useLiteralKeys: TypeScript allows access to protected members only in brackets
  /** Discovers the node and resolves to its channel, which all calls of the client share. */
  getChannel: client['getChannel'],
  /** The metadata and options of a call, with the client's credentials and settings. */
  callArguments: client['callArguments'],
  /** Whether the server supports an RPC. */
  supports: client['supports'],
  /** Opens a streaming RPC. */
  GRPCStreamCreator: client['GRPCStreamCreator'],
  /** Runs a unary RPC. */
  execute: client['execute'],
  // biome-ignore-end lint/complexity/useLiteralKeys: as above
});
