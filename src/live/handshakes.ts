import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddr from '@fastify/proxy-addr';
import type { Quotas } from '../http/limits.ts';
import { HttpProblem } from '../http/problems/problems.ts';
import type { CountLimit } from '../http/requests/metrics.ts';
import { sharedBy } from '../http/requests/peers.ts';
import { createQuota } from '../http/requests/quota.ts';
import { networksOf } from '../security/clientNetworks.ts';

/** Open sockets before authentication. */
export type Handshakes = Readonly<{
  /** False when there are too many: then it was answered with 503. */
  begin: (request: IncomingMessage, socket: Duplex) => boolean;
  /** The client of a socket has signed in. */
  done: (socket: Duplex) => void;
}>;

const { body } = new HttpProblem('overloaded');
const REFUSAL = JSON.stringify(body);
const RETRY_AFTER_S = 5;

export const boundHandshakes = ({
  trustProxy,
  onRejected,
  quotas,
}: {
  trustProxy: false | readonly string[];
  onRejected: CountLimit;
  quotas: Pick<Quotas, 'handshakes' | 'handshakesPerAddress'>;
}): Handshakes => {
  const everywhere = createQuota({ each: quotas.handshakes });
  const ofAddress = createQuota({ each: quotas.handshakesPerAddress });
  const isShared = sharedBy(trustProxy);
  const isTrusted = trustProxy === false ? () => false : proxyAddr.compile([...trustProxy]);
  const pending = new WeakMap<Duplex, () => void>();

  const refuse = (socket: Duplex): void => {
    socket.on('error', () => socket.destroy());
    socket.once('finish', () => socket.destroy());
    socket.end(
      `HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${REFUSAL.length}\r\nRetry-After: ${RETRY_AFTER_S}\r\nConnection: close\r\n\r\n${REFUSAL}`,
    );
  };

  return {
    begin: (request, socket) => {
      const address = proxyAddr(request, isTrusted);
      const one = everywhere.acquire('');
      const two = isShared(address) ? () => undefined : ofAddress.acquire(networksOf(address).address);
      if (!one || !two) {
        one?.();
        two?.();
        onRejected(one ? 'handshakes_per_address' : 'handshakes');
        refuse(socket);
        return false;
      }
      const release = (): void => {
        one();
        two();
      };
      pending.set(socket, release);
      socket.once('close', release);
      return true;
    },
    done: (socket) => {
      const release = pending.get(socket);
      if (!release) return;
      socket.off('close', release);
      release();
    },
  };
};
