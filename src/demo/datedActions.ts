import type { Product } from '../bootstrap/product.ts';
import type { Actor, EventMeta } from '../domain/event.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Random } from './random.ts';

const ADMIN: Actor = { kind: 'admin', id: 'admin' };

/** What all actions of the demo share. Their times are before `endsAt`, in ms since 1970. */
export type SeedContext = Readonly<{ product: Product; keyPrefix: string; random: Random; endsAt: number }>;

/** A command with a time in the past. Without an `actor`, an administrator gives it. */
export type DatedAction = Readonly<{ daysAgo: number; actor?: Actor; run: (meta: EventMeta) => Promise<void> }>;

/** Throws if a command was refused, since no command of the demo may be. `what` completes the error message. */
export const must = <Outcome extends { accepted: boolean }>(
  outcome: Outcome,
  what: string,
): Extract<Outcome, { accepted: true }> => {
  if (!outcome.accepted) throw new Error(`The demo could not ${what}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { accepted: true }>;
};

/** The instant `daysAgo` days before `endsAt`, in ISO-8601 UTC. */
export const instantAt = ({ endsAt }: SeedContext, daysAgo: number): string => new Date(endsAt - daysAgo * DAY_MS).toISOString();

const metaAt = (context: SeedContext, daysAgo: number, actor: Actor): EventMeta => ({
  actor,
  commandId: context.product.newId(),
  correlationId: context.product.newId(),
  causationId: null,
  at: instantAt(context, daysAgo),
});

/** Runs actions one by one, the oldest first, as a stream must have its events in the order of their times. */
export const runInOrder = async (context: SeedContext, actions: readonly DatedAction[]): Promise<void> => {
  const inOrder = [...actions].sort((one, other) => other.daysAgo - one.daysAgo);
  for (const { daysAgo, actor = ADMIN, run } of inOrder) await run(metaAt(context, daysAgo, actor));
};
