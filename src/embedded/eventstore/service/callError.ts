import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { type ExpectedRevision, NO_REVISION } from '../storage/event.ts';
import { StorageUnavailable } from '../storage/eventReader.ts';
import { StoreClosing } from '../storage/operation.ts';

/** An error of a call as EventStoreDB reports it. The client builds its typed errors from `trailers`. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: status;
  readonly trailers: Readonly<Record<string, string>>;

  constructor(code: status, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.trailers = trailers;
  }
}

const EXPECTED_CODE = { any: -2, no_stream: -1, stream_exists: -4 } as const;

/** EventStoreDB's number for an expected revision. */
const expectedCode = (expected: ExpectedRevision): string =>
  String(typeof expected === 'number' ? expected : EXPECTED_CODE[expected]);

export const invalidArgument = (message: string): CallError => new CallError(status.INVALID_ARGUMENT, message);

export const streamDeleted = (stream: string): CallError =>
  new CallError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongExpectedRevision = (stream: string, expected: ExpectedRevision, current: number): CallError =>
  new CallError(
    status.FAILED_PRECONDITION,
    `Wrong expected version. Stream: ${stream}, expected version: ${expectedCode(expected)}, actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expectedCode(expected),
      ...(current === NO_REVISION ? {} : { 'actual-version': String(current) }),
    },
  );

export const maximumAppendSizeExceeded = (bytes: number): CallError =>
  new CallError(status.INVALID_ARGUMENT, `Maximum append size of ${bytes} bytes exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
  });

export const missingMetadataProperty = (): CallError =>
  new CallError(status.INVALID_ARGUMENT, 'An event has no type or no content type.', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

/** The server holds too many unfinished requests. */
export const serverTooBusy = (): CallError => new CallError(status.UNAVAILABLE, 'Server Is Too Busy');

/** EventStoreDB's commit timeout: the events may have been written. A retry with the same event ids is safe. */
export const commitTimeout = (): CallError => new CallError(status.ABORTED, 'Operation timed out: commit timeout');

export const deadlineExceeded = (): CallError => new CallError(status.DEADLINE_EXCEEDED, 'Deadline exceeded');

// Trailers are HTTP headers, which allow only printable ASCII.
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** The gRPC error for an error. An unexpected error becomes `UNKNOWN` without its message. */
export const serviceErrorOf = (error: unknown): Partial<ServiceError> & Error => {
  const metadata = new Metadata();
  if (error instanceof CallError) {
    for (const [name, value] of Object.entries(error.trailers)) metadata.set(name, value.replace(UNPRINTABLE, '?'));
    return Object.assign(new Error(error.message), { code: error.code, details: error.message, metadata });
  }
  if (error instanceof StorageUnavailable || error instanceof StoreClosing) {
    return Object.assign(new Error(error.message), { code: status.UNAVAILABLE, details: error.message, metadata });
  }
  const details = 'The event store failed; see its log';
  return Object.assign(new Error(details), { code: status.UNKNOWN, details, metadata });
};
