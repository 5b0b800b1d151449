import type { EventStoreDBClient } from '@eventstore/db-client';

const MEMBERS = ['getChannel', 'callArguments', 'supports', 'GRPCStreamCreator', 'execute'] as const;

type Internals = Pick<ReturnType<typeof membersOf>, (typeof MEMBERS)[number]>;

const membersOf = (client: EventStoreDBClient) => ({
  // biome-ignore-start lint/complexity/useLiteralKeys: TypeScript allows access to protected members only in brackets
  /** Discovers the node and resolves to its channel, which all calls of the client share. */
  getChannel: client['getChannel'],
  /** The metadata and options of a call, with the client's credentials and settings. */
  callArguments: client['callArguments'],
  /** Whether the server supports an RPC. */
  supports: client['supports'],
  /** Opens a streaming RPC. If it fails, the client connects to another node with the next call: to a new leader, if it is known. */
  GRPCStreamCreator: client['GRPCStreamCreator'],
  /** Runs a unary RPC. */
  execute: client['execute'],
  // biome-ignore-end lint/complexity/useLiteralKeys: as above
});

/**
 * The protected members of the client that the adapter uses, because its public API cannot close a connection, open an RPC of
 * one's own or start a scavenge. Null if a version of the client lacks one of them: then appends and subscriptions use the public API.
 * No other file accesses them, and `tests/eventstoreClient/clientInternals.test.ts` checks them.
 */
export const clientInternals = (client: EventStoreDBClient): Internals | null => {
  const members = membersOf(client);
  return MEMBERS.every((name) => typeof members[name] === 'function') ? members : null;
};
