import type { EventMeta } from '../../domain/event.ts';
import type { Product } from '../product.ts';
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;

/** What the demo's past is written with. */
export type Stage = Readonly<{ product: Product; keyPrefix: string; random: Random }>;

/** Throws where a command was refused: the demo asks for nothing that may be. */
export const must = <Outcome extends { accepted: boolean }>(
  outcome: Outcome,
  what: string,
): Extract<Outcome, { accepted: true }> => {
  if (!outcome.accepted) throw new Error(`The demo could not ${what}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { accepted: true }>;
};

/** The demo's past is written as what it is: commands of days gone by. */
export const metaAt = ({ product }: Stage, daysAgo: number): EventMeta => ({
  actor: { kind: 'admin', id: 'admin' },
  commandId: product.newId(),
  correlationId: product.newId(),
  causationId: null,
  at: new Date(product.now() - daysAgo * DAY_MS).toISOString(),
});
