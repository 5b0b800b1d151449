import { createHash, timingSafeEqual } from 'node:crypto';
import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { Credentials } from '../../network.ts';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The methods that clients call without credentials, also on EventStoreDB. */
const PUBLIC = /^\/event_store\.client\.(?:server_features|gossip)\./;

/** Rejects calls without the credentials. */
export const authentication = ({ username, password }: Credentials): ServerInterceptor => {
  const expected = digestOf(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const given = String(metadata.get('authorization')[0] ?? '');
            if (PUBLIC.test(path) || timingSafeEqual(digestOf(given), expected)) proceed(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'The credentials are missing or wrong' });
          },
        }),
    });
};
