import streams, {
  type DeleteReq,
  type DeleteResp,
  type TombstoneReq,
  type TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { streamName } from '../codec/messages.ts';
import type { ExpectedRevision } from '../storage/event.ts';
import { StorageUnavailable } from '../storage/eventReader.ts';
import { commitTimeout, deadlineExceeded, serviceErrorOf, streamDeleted, wrongExpectedRevision } from './callError.ts';
import { checkStreamName, expectedRevisionOf } from './proposal.ts';
import { report, type Service } from './service.ts';

type Options = DeleteReq.Options | TombstoneReq.Options;

const expectedOf = (options: Options | undefined): ExpectedRevision => {
  if (options?.hasRevision()) return expectedRevisionOf(Number(options.getRevision()));
  if (options?.hasNoStream()) return 'no_stream';
  if (options?.hasStreamExists()) return 'stream_exists';
  return 'any';
};

/** Deletes the stream. Returns the position of the deleting event. */
const remove = async ({ store }: Service, kind: 'delete' | 'tombstone', options: Options | undefined): Promise<number> => {
  const stream = streamName(options?.getStreamIdentifier());
  checkStreamName(stream);
  const expected = expectedOf(options);
  const outcome = await store.submit({ kind, stream, expected, deadline: undefined }).catch((error: unknown) => {
    throw error instanceof StorageUnavailable ? commitTimeout() : error;
  });
  switch (outcome.kind) {
    case 'written':
      return outcome.position;
    case 'wrong_expected_revision':
      throw wrongExpectedRevision(stream, expected, outcome.current);
    case 'stream_deleted':
      throw streamDeleted(stream);
    case 'deadline_exceeded':
      throw deadlineExceeded();
  }
};

/** `Streams.Delete`: soft deletion. The stream can be recreated. */
export const softDelete =
  (service: Service): handleUnaryCall<DeleteReq, DeleteResp> =>
  (call, reply) => {
    remove(service, 'delete', call.request.getOptions()).then(
      (position) => {
        const response = new streams.DeleteResp();
        response.setPosition(
          new streams.DeleteResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position)),
        );
        reply(null, response);
      },
      (error: unknown) => {
        report(service, 'Delete', error);
        reply(serviceErrorOf(error));
      },
    );
  };

/** `Streams.Tombstone`: hard deletion. Later appends to the stream fail. */
export const tombstone =
  (service: Service): handleUnaryCall<TombstoneReq, TombstoneResp> =>
  (call, reply) => {
    remove(service, 'tombstone', call.request.getOptions()).then(
      (position) => {
        const response = new streams.TombstoneResp();
        response.setPosition(
          new streams.TombstoneResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position)),
        );
        reply(null, response);
      },
      (error: unknown) => {
        report(service, 'Tombstone', error);
        reply(serviceErrorOf(error));
      },
    );
  };
