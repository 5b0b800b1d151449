import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { limitConcurrency } from '../flow/concurrency.ts';
import { createPasswordStrength, type IsGuessable } from './passwordStrength.ts';

/** Too many passwords wait to be checked; the client may try again in a moment. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

/** Hashes and verifies passwords with argon2id, a few at a time. */
export type Passwords = Readonly<{
  /** An argon2id hash in PHC format. */
  hash: (password: string) => Promise<string>;
  /** Takes as long for an unknown hash (null) as for a wrong password. Sources, as a client's address, take turns. */
  verify: (phc: string | null, password: string, source?: string) => Promise<boolean>;
  isGuessable: IsGuessable;
}>;

/** What a hash costs: memory in KiB, and passes over it. */
export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>;

/** About 20 ms on a core. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/**
 * Password hashing that a flood of sign-ins cannot exhaust the machine with: `concurrency` at a time, `maxWaiting` queued, taking turns by
 * source, and `PasswordsBusy` thrown for the rest. `cost` applies to new hashes of argon2id, the library's default algorithm.
 */
export const createPasswords = ({
  concurrency = 2,
  maxWaiting = 1_000,
  cost = COST,
}: {
  concurrency?: number;
  maxWaiting?: number;
  cost?: PasswordCost | undefined;
} = {}): Passwords => {
  const options: Options = { ...cost, parallelism: 1 };
  const turns = limitConcurrency({
    concurrent: concurrency,
    maxWaiting,
    busy: () => new PasswordsBusy('Too many concurrent sign-ins'),
  });
  let placeholderHash: Promise<string> | undefined;

  return {
    hash: (password) => turns.run(() => hash(password, options)),
    verify: (phc, password, source) => {
      const evaluate = async (): Promise<boolean> => {
        if (phc !== null) return verify(phc, password);
        placeholderHash ??= hash(randomBytes(32), options);
        await verify(await placeholderHash, password);
        return false;
      };
      return turns.run(evaluate, { ...(source !== undefined && { key: source }) });
    },
    isGuessable: createPasswordStrength(),
  };
};
