import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';
import type { Outage } from './outage.ts';
import { type Seeds, seedsOf } from './seeds.ts';

const { VNodeState } = gossip.MemberInfo;

/** States of nodes that do not vote for a leader. */
const NOT_VOTING: ReadonlySet<number> = new Set([
  VNodeState.MANAGER,
  VNodeState.READONLYLEADERLESS,
  VNodeState.PREREADONLYREPLICA,
  VNodeState.READONLYREPLICA,
]);

const credentialsOf = (tls: Seeds['tls']): ChannelCredentials =>
  tls ? credentials.createSsl(tls.ca(), null, null, { rejectUnauthorized: tls.verify }) : credentials.createInsecure();

const readGossip = (target: string, security: ChannelCredentials, timeoutMs: number): Promise<ClusterInfo> => {
  const client = new gossipService.GossipClient(target, security, {});
  return new Promise((resolve, reject) => {
    client.read(new shared.Empty(), new Metadata(), { deadline: Date.now() + timeoutMs }, (error, info) => {
      client.close();
      if (error) reject(error);
      else resolve(info);
    });
  });
};

/**
 * Asks the nodes of a connection string which of them are alive. Null if the members that the first node to reply reports have a
 * quorum and a leader.
 */
export const clusterOutage = async (
  url: string,
  timeoutMs: number,
): Promise<Extract<Outage, 'no_leader' | 'no_quorum' | 'unreachable'> | null> => {
  try {
    const { seeds, tls } = seedsOf(url);
    const security = credentialsOf(tls);
    const info = await Promise.any(
      seeds.map((seed) => readGossip('path' in seed ? `unix:${seed.path}` : `${seed.host}:${seed.port}`, security, timeoutMs)),
    );
    const voters = info.getMembersList().filter((member) => !NOT_VOTING.has(member.getState()));
    const alive = voters.filter((member) => member.getIsAlive());
    if (alive.length * 2 <= voters.length) return 'no_quorum';
    return alive.some((member) => member.getState() === VNodeState.LEADER) ? null : 'no_leader';
  } catch {
    return 'unreachable';
  }
};
