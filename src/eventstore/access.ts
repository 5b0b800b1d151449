import { AccessDeniedError, BACKWARDS, END, type EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import { PUBLIC_DEADLINE_MS } from './appendRpc.ts';
import { closeClient } from './client.ts';
import { clientOf } from './connect.ts';
import { withTimeout } from './retry.ts';

const ALL = '$all';
/** The group that may read `$all` if no ACL says otherwise. */
const ADMINISTRATORS = '$admins';
/** For the reply to the new ACL. */
const TIMEOUT_MS = 10_000;

/** The user of the connection string may not change the ACL of `$all`. */
export class NotAdministrator extends Error {
  override readonly name = 'NotAdministrator';
  override readonly message = 'The user of EVENTSTORE_URL may not change the ACL of $all. Use the login of an administrator.';
}

/** The revision of the metadata of `$all`. Version 6.2.1 of the client returns a position in its place. */
const metadataRevision = async (client: EventStoreDBClient): Promise<bigint | 'no_stream'> => {
  try {
    const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
    for await (const { event } of client.readStream(`$$${ALL}`, newest)) if (event) return event.revision;
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return 'no_stream';
};

/**
 * Gives a user of EventStoreDB the right to read `$all`, which subscriptions need and only administrators have by default. Keeps all
 * other rights. `url` contains the login of an administrator. Resolves to the roles that may read. Throws `NotAdministrator`.
 */
export const grantStoreAccess = async (url: string, user: string): Promise<readonly string[]> => {
  const client = clientOf(url);
  try {
    const expectedRevision = await metadataRevision(client);
    const { metadata = {} } = await client.getStreamMetadata(ALL);
    const given = metadata.acl?.readRoles ?? [];
    const readRoles = [...new Set([...(given.length > 0 ? given : [ADMINISTRATORS]), user])];
    const options = { expectedRevision, deadline: PUBLIC_DEADLINE_MS };
    await withTimeout(TIMEOUT_MS, client.setStreamMetadata(ALL, { ...metadata, acl: { ...metadata.acl, readRoles } }, options));
    return readRoles;
  } catch (error) {
    if (error instanceof AccessDeniedError) throw new NotAdministrator();
    throw error;
  } finally {
    await closeClient(client);
  }
};
