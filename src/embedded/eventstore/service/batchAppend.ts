import { type handleBidiStreamingCall, status } from '@grpc/grpc-js';
import type { AppendOptions, BatchAppendRequest } from '../codec/batchAppendRequest.ts';
import { memoryOf, type ProposedEvent } from '../storage/event.ts';
import { StorageUnavailable } from '../storage/eventReader.ts';
import { type OperationResult, type Sequence, StoreClosing, type Written } from '../storage/operation.ts';
import { acknowledgementsOf } from './acknowledgements.ts';
import {
  type BatchAddress,
  badRequestReply,
  maximumAppendSizeReply,
  streamDeletedReply,
  timeoutReply,
  tooBusyReply,
  unknownErrorReply,
  wrongExpectedRevisionReply,
} from './batchAppendReply.ts';
import { CallError, serviceErrorOf } from './callError.ts';
import { delayUntil, expiriesOf } from './expiries.ts';
import { appendSizeOf, checkRecordSize, checkStreamName, expectedRevisionOf, proposedEventOf } from './proposal.ts';
import { acceptSeveralRequests, acceptsCumulativeReplies, responsesOf } from './responses.ts';
import { report, type Service } from './service.ts';

/** A batch whose final chunk has not arrived. */
type Batch = {
  readonly options: AppendOptions;
  readonly events: ProposedEvent[];
  /** Towards the maximum append size. */
  bytes: number;
  /** In memory. */
  memory: number;
  expiry: NodeJS.Timeout | undefined;
};

const CHUNK_TIMEOUT_MS = 30_000;

/** A batch that the store has, and that has no reply yet. */
type Submitted = { readonly to: BatchAddress; readonly deadline: number | undefined; isAnswered: boolean };

const refusalReply = (to: BatchAddress, options: AppendOptions, outcome: Exclude<OperationResult, Written>): Buffer => {
  switch (outcome.kind) {
    case 'wrong_expected_revision':
      return wrongExpectedRevisionReply(to, options.expected, outcome.current);
    case 'stream_deleted':
      return streamDeletedReply(to);
    case 'deadline_exceeded':
      return timeoutReply(to);
  }
};

/**
 * `Streams.BatchAppend`: one long-lived call on which a client sends its batches in chunks. Each correlation id gets exactly one
 * reply. Reading pauses while the write backlog is full or the client does not read replies (backpressure). When PostgreSQL fails, the
 * call ends after the replies to what it has submitted, so that a client which appends without waiting leaves no gap.
 */
export const batchAppend =
  (service: Service): handleBidiStreamingCall<BatchAppendRequest[], Buffer> =>
  (call) => {
    const { store, maxAppendSize } = service;
    service.calls.add(call);
    acceptSeveralRequests(call);
    const responses = responsesOf(call);
    const batches = new Map<string, Batch>();
    let submitted = 0;
    let hasEnded = false;
    const sequence: Sequence = { hasFailed: false };

    let isWaitingForCapacity = false;
    const resumeWithCapacity = async (): Promise<void> => {
      if (isWaitingForCapacity) return;
      isWaitingForCapacity = true;
      await store.waitForCapacity();
      isWaitingForCapacity = false;
      proceed();
    };
    const proceed = (): void => {
      if (store.isFull()) {
        call.pause();
        void resumeWithCapacity();
      } else if (unread) call.pause();
      else if (call.isPaused()) call.resume();
      if (hasEnded || submitted > 0) return;
      if (sequence.hasFailed || call.readableEnded) {
        acknowledgements.flush();
        responses.flush();
      }
      if (sequence.hasFailed) {
        hasEnded = true;
        call.emit('error', serviceErrorOf(new CallError(status.UNAVAILABLE, 'PostgreSQL is unreachable')));
      } else if (call.readableEnded && batches.size === 0) {
        hasEnded = true;
        call.end();
      }
    };
    /** While the client does not read its replies. */
    let unread: Promise<void> | undefined;
    const reply = (response: Buffer): void => {
      if (hasEnded) return;
      const sent = responses.send(response);
      if (!sent) return;
      unread = sent;
      // Of several replies only the last one's promise resolves.
      void sent.then(() => {
        unread = undefined;
        proceed();
      });
    };

    const acknowledgements = acknowledgementsOf(acceptsCumulativeReplies(call), reply);

    const drop = (correlationId: string): void => {
      const batch = batches.get(correlationId);
      if (!batch) return;
      clearTimeout(batch.expiry);
      batches.delete(correlationId);
      store.unreserve(batch.memory);
    };
    /** A batch of one chunk, the usual case, needs no timer and no entry in `batches`. */
    const begin = ({ correlation, correlationId, isFinal }: BatchAppendRequest, requested: AppendOptions): Batch => {
      checkStreamName(requested.stream);
      const options = { ...requested, expected: expectedRevisionOf(requested.expected) };
      if (isFinal) return { options, events: [], bytes: 0, memory: 0, expiry: undefined };
      const timeoutMs = Math.min(delayUntil(options.deadline ?? Number.POSITIVE_INFINITY), CHUNK_TIMEOUT_MS);
      const batch: Batch = { options, events: [], bytes: 0, memory: 0, expiry: undefined };
      batch.expiry = setTimeout(() => {
        drop(correlationId);
        reply(timeoutReply({ correlation, stream: options.stream }));
        proceed();
      }, timeoutMs);
      batches.set(correlationId, batch);
      return batch;
    };

    /** Returns false if the batch has a reply. */
    const settle = (append: Submitted): boolean => {
      if (append.isAnswered) return false;
      append.isAnswered = true;
      expiries.remove(append);
      submitted--;
      return true;
    };
    const answer = (append: Submitted, response: Buffer): void => {
      if (!settle(append)) return;
      acknowledgements.flush();
      reply(response);
      proceed();
    };
    const expiries = expiriesOf<Submitted>((append) => answer(append, timeoutReply(append.to)));

    const submit = (to: BatchAddress, { options, events }: Batch): void => {
      const { stream, expected, deadline } = options;
      const append: Submitted = { to, deadline, isAnswered: false };
      submitted++;
      expiries.add(append);
      const onOutcome = (outcome: OperationResult): void => {
        if (outcome.kind !== 'written') answer(append, refusalReply(to, options, outcome));
        else if (settle(append)) {
          acknowledgements.add(to, options, events.length, outcome);
          proceed();
        }
      };
      const onFailure = (error: Error): void => {
        if (error instanceof StoreClosing) {
          expiries.remove(append); // The end of the call is the answer to all batches that have none.
          return;
        }
        report(service, 'BatchAppend', error);
        answer(append, error instanceof StorageUnavailable ? timeoutReply(to) : unknownErrorReply(to));
        proceed(); // An append that was answered at its deadline can have failed only now.
      };
      store.enqueue({ kind: 'append', stream, expected, events, deadline, sequence }, onOutcome, onFailure);
    };

    const receive = (request: BatchAppendRequest, to: BatchAddress): void => {
      const batch = batches.get(request.correlationId) ?? (request.options && begin(request, request.options));
      // A later chunk of a batch that was rejected or has timed out.
      if (!batch) return;
      let memory = 0;
      for (const requested of request.events) {
        const event = proposedEventOf(requested);
        batch.events.push(event);
        batch.bytes += appendSizeOf(event);
        memory += memoryOf(event);
      }
      checkRecordSize(batch.memory + memory);
      if (batch.bytes > maxAppendSize) {
        drop(request.correlationId);
        reply(maximumAppendSizeReply(to, maxAppendSize));
      } else if (!request.isFinal) {
        if (store.reserve(memory)) batch.memory += memory;
        else {
          drop(request.correlationId);
          reply(tooBusyReply(to));
        }
      } else {
        drop(request.correlationId);
        submit(to, batch);
      }
    };

    const refuse = (to: BatchAddress, correlationId: string, error: unknown): void => {
      drop(correlationId);
      report(service, 'BatchAppend', error);
      reply(error instanceof CallError ? badRequestReply(to, error.message) : unknownErrorReply(to));
    };

    call.on('data', (requests: readonly BatchAppendRequest[]) => {
      for (const request of requests) {
        if (sequence.hasFailed) return;
        const { correlation, correlationId } = request;
        const to = { correlation, stream: batches.get(correlationId)?.options.stream ?? request.options?.stream ?? '' };
        try {
          receive(request, to);
        } catch (error) {
          refuse(to, correlationId, error);
        }
      }
      proceed();
    });
    call.on('end', proceed);
    const abandon = (): void => {
      hasEnded = true;
      expiries.clear();
      for (const correlationId of [...batches.keys()]) drop(correlationId);
    };
    call.on('close', abandon);
    call.on('error', abandon);
  };
