import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import serverFeatures, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { uuid } from '../codec/messages.ts';
import { ticksOf } from '../storage/event.ts';

/** The EventStoreDB version whose protocol this server implements. */
const VERSION = '24.10.0';

const STREAMS = 'event_store.client.streams.streams';

const OPERATIONS = 'event_store.client.operations.operations';

const METHODS: readonly Readonly<{ service: string; method: string; features: string[] }>[] = [
  { service: STREAMS, method: 'append', features: [] },
  { service: STREAMS, method: 'batchappend', features: ['deadline_duration'] },
  { service: STREAMS, method: 'delete', features: [] },
  { service: STREAMS, method: 'read', features: ['position', 'events'] },
  { service: STREAMS, method: 'tombstone', features: [] },
  { service: 'event_store.client.server_features.serverfeatures', method: 'getsupportedmethods', features: [] },
  { service: OPERATIONS, method: 'startscavenge', features: [] },
  { service: OPERATIONS, method: 'stopscavenge', features: [] },
  { service: 'event_store.client.gossip.gossip', method: 'read', features: [] },
];

/** The reply that says which methods and features of EventStoreDB this server has. */
export const supportedMethods = (): SupportedMethods =>
  new serverFeatures.SupportedMethods()
    .setEventStoreServerVersion(VERSION)
    .setMethodsList(
      METHODS.map(({ service, method, features }) =>
        new serverFeatures.SupportedMethod().setServiceName(service).setMethodName(method).setFeaturesList(features),
      ),
    );

/** A cluster with this node as its only member and leader. `now` in ms. */
export const clusterOf = (node: { id: string; host: string; port: number }, now: number): ClusterInfo => {
  const member = new gossip.MemberInfo()
    .setInstanceId(uuid(node.id))
    .setTimeStamp(ticksOf(now))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(node.host).setPort(node.port));
  return new gossip.ClusterInfo().setMembersList([member]);
};
