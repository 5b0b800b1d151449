import type { Product } from '../bootstrap/product.ts';
import type { Actor, EventMeta } from '../domain/event.ts';
import type { Random } from './random.ts';

export const DAY_MS = 86_400_000;
const ADMIN: Actor = { kind: 'admin', id: 'admin' };

/** What the demo's past is written with. The past ends at `endsAt`, in ms since 1970. */
export type Stage = Readonly<{ product: Product; keyPrefix: string; random: Random; endsAt: number }>;

/** Something that was done in the past. Without an `actor` it was an administrator. */
export type PastAction = Readonly<{ daysAgo: number; actor?: Actor; run: (meta: EventMeta) => Promise<void> }>;

/** Throws where a command was refused: the demo asks for nothing that may be. */
export const must = <Outcome extends { accepted: boolean }>(
  outcome: Outcome,
  what: string,
): Extract<Outcome, { accepted: true }> => {
  if (!outcome.accepted) throw new Error(`The demo could not ${what}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { accepted: true }>;
};

/** The instant so many days before the past ends, ISO-8601 UTC. */
export const instantAt = ({ endsAt }: Stage, daysAgo: number): string => new Date(endsAt - daysAgo * DAY_MS).toISOString();

const metaAt = (stage: Stage, daysAgo: number, actor: Actor): EventMeta => ({
  actor,
  commandId: stage.product.newId(),
  correlationId: stage.product.newId(),
  causationId: null,
  at: instantAt(stage, daysAgo),
});

/** Writes a past as what it is: commands of earlier days, in the order in which they happened. */
export const writeInOrder = async (stage: Stage, actions: readonly PastAction[]): Promise<void> => {
  const inOrder = [...actions].sort((one, other) => other.daysAgo - one.daysAgo);
  for (const { daysAgo, actor = ADMIN, run } of inOrder) await run(metaAt(stage, daysAgo, actor));
};
