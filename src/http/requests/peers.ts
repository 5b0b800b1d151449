import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { networksOf } from '../../security/clientNetworks.ts';
import type { Quotas } from '../limits.ts';
import type { CountLimit } from './metrics.ts';
import { createQuota } from './quota.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether an address is this machine or a trusted proxy, which brings the connections of others. */
export const sharedBy = (trustProxy: false | readonly string[]): ((address: string) => boolean) => {
  const isTrusted = trustProxy === false ? () => false : proxyAddr.compile([...trustProxy]);
  return (address) => LOOPBACK.test(address) || isTrusted(address, 0);
};

/** Closes connections of an address beyond its share. */
export const boundPeers = (
  app: FastifyInstance,
  {
    isShared,
    onRejected,
    quotas,
  }: { isShared: (address: string) => boolean; onRejected: CountLimit; quotas: Pick<Quotas, 'connectionsPerAddress'> },
): void => {
  const connections = createQuota({ each: quotas.connectionsPerAddress });
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isShared(address)) return;
    const release = connections.acquire(networksOf(address).address);
    if (release) {
      socket.once('close', release);
      return;
    }
    onRejected('connections_per_address');
    socket.destroy();
  });
};
