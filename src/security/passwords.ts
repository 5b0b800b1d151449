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

/** argon2id with 19 MiB and two passes, the library's default algorithm; about 20 ms on a core. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Password hashing that a flood of sign-ins cannot exhaust the machine with: `concurrency` at a time, `maxWaiting` queued, taking turns by
 * source, and `PasswordsBusy` thrown for the rest.
 */
export const createPasswords = ({
  concurrency = 2,
  maxWaiting = 1_000,
}: {
  concurrency?: number;
  maxWaiting?: number;
} = {}): Passwords => {
  const turns = limitConcurrency({
    concurrent: concurrency,
    maxWaiting,
    busy: () => new PasswordsBusy('Too many concurrent sign-ins'),
  });
  let placeholderHash: Promise<string> | undefined;

  return {
    hash: (password) => turns.run(() => hash(password, OPTIONS)),
    verify: (phc, password, source) => {
      const evaluate = async (): Promise<boolean> => {
        if (phc !== null) return verify(phc, password);
        placeholderHash ??= hash(randomBytes(32), OPTIONS);
        await verify(await placeholderHash, password);
        return false;
      };
      return turns.run(evaluate, { ...(source !== undefined && { key: source }) });
    },
    isGuessable: createPasswordStrength(),
  };
};
