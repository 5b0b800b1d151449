import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';

/** Too many passwords wait to be checked; the client may try again in a moment. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

export type Passwords = Readonly<{
  /** An argon2id hash in PHC format. */
  hash: (password: string) => Promise<string>;
  /** Takes as long for an unknown hash (null) as for a wrong password. */
  verify: (phc: string | null, password: string) => Promise<boolean>;
}>;

/** argon2id with 19 MiB and two passes, the library's default algorithm; about 20 ms on a core. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Password hashing that a flood of sign-ins cannot make eat the machine: `concurrency` at a time, `maxWaiting` in line, and
 * `PasswordsBusy` thrown for the rest.
 */
export const createPasswords = ({
  concurrency = 2,
  maxWaiting = 100,
}: {
  concurrency?: number;
  maxWaiting?: number;
} = {}): Passwords => {
  const line: (() => void)[] = [];
  let running = 0;
  let nobodys: Promise<string> | undefined;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (line.length >= maxWaiting) throw new PasswordsBusy('Too many sign-ins at once');
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };

  return {
    hash: (password) => inTurn(() => hash(password, OPTIONS)),
    verify: (phc, password) =>
      inTurn(async () => {
        if (phc !== null) return verify(phc, password);
        nobodys ??= hash(randomBytes(32), OPTIONS);
        await verify(await nobodys, password);
        return false;
      }),
  };
};
