import type { AppendOptions } from '../codec/batchAppendRequest.ts';
import { NO_REVISION } from '../storage/event.ts';
import type { Written } from '../storage/operation.ts';
import { type BatchAddress, writtenReply } from './batchAppendReply.ts';

type Acknowledgement = Readonly<{ to: BatchAddress; written: Written; isImplied: boolean }>;

export type Acknowledgements = Readonly<{
  /** `events` is the number of the append's events. */
  add: (to: BatchAddress, options: AppendOptions, events: number, written: Written) => void;
  /** Sends what waits for later ones. Needed before any other reply, and before the call ends. */
  flush: () => void;
}>;

/** The revision of the last event of an append, if its request implies it. */
const impliedRevision = ({ expected }: AppendOptions, events: number): number | undefined => {
  if (expected === 'no_stream') return NO_REVISION + events;
  return typeof expected === 'number' ? expected + events : undefined;
};

/**
 * Replies to written appends. For a client that asks for it (`isCumulative`), a reply also acknowledges all appends before it on the call
 * that have none, if their requests imply their revisions: of those that are committed in one turn, only the last one gets a reply.
 */
export const acknowledgementsOf = (isCumulative: boolean, send: (reply: Buffer) => void): Acknowledgements => {
  let held: Acknowledgement | undefined;
  const flush = (): void => {
    const last = held;
    held = undefined;
    if (last) send(writtenReply(last.to, last.written));
  };
  return {
    add: (to, options, events, written) => {
      if (!isCumulative) return send(writtenReply(to, written));
      if (!held) queueMicrotask(flush);
      else if (!held.isImplied) send(writtenReply(held.to, held.written));
      held = { to, written, isImplied: written.revision === impliedRevision(options, events) };
    },
    flush,
  };
};
