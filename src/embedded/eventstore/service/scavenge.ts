import operations, {
  type ScavengeResp,
  type StartScavengeReq,
  type StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb.js';
import { type handleUnaryCall, status } from '@grpc/grpc-js';
import { CallError, serviceErrorOf } from './callError.ts';
import type { Scavenging } from './scavenging.ts';

const { ScavengeResult } = operations.ScavengeResp;

const response = (id: string, result: ScavengeResp.ScavengeResult): ScavengeResp =>
  new operations.ScavengeResp().setScavengeId(id).setScavengeResult(result);

/** `Operations.StartScavenge`: starts a scavenge, or returns the id of the running one. Ignores threads and chunks. */
export const startScavenge =
  (scavenging: Scavenging): handleUnaryCall<StartScavengeReq, ScavengeResp> =>
  (_, reply) => {
    const { id, isNew } = scavenging.start();
    reply(null, response(id, isNew ? ScavengeResult.STARTED : ScavengeResult.INPROGRESS));
  };

/** `Operations.StopScavenge`: stops the running scavenge with that id. */
export const stopScavenge =
  (scavenging: Scavenging): handleUnaryCall<StopScavengeReq, ScavengeResp> =>
  (call, reply) => {
    const id = call.request.getOptions()?.getScavengeId() ?? '';
    if (scavenging.stop(id)) return reply(null, response(id, ScavengeResult.STOPPED));
    const exception = { exception: 'scavenge-not-found', 'scavenge-id': id };
    reply(serviceErrorOf(new CallError(status.NOT_FOUND, 'The scavenge is not running', exception)));
  };
