import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { createPasswordStrength, type IsGuessable } from './passwordStrength.ts';

/** Too many passwords wait to be checked; the client may try again in a moment. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

export type Passwords = Readonly<{
  /** An argon2id hash in PHC format. */
  hash: (password: string) => Promise<string>;
  /** Takes as long for an unknown hash (null) as for a wrong password. Sources, as a client's address, take turns. */
  verify: (phc: string | null, password: string, source?: string) => Promise<boolean>;
  isGuessable: IsGuessable;
}>;

/** argon2id with 19 MiB and two passes, the library's default algorithm; about 20 ms on a core. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What has no source of its own. */
const INTERNAL = '';

type Waiting = { start: () => void; reject: (error: PasswordsBusy) => void };

/**
 * A bounded queue in which sources take turns: one that waits with one request is next after at most one request of each other source.
 * Where the queue is full, the source with the most requests loses its newest to one with fewer.
 */
const createFairQueue = (capacity: number) => {
  const sources = new Map<string, Waiting[]>();
  let size = 0;

  const longest = (): [source: string, queue: Waiting[]] | undefined => {
    let found: [string, Waiting[]] | undefined;
    for (const entry of sources) if (!found || entry[1].length > found[1].length) found = entry;
    return found;
  };

  const makeSpace = (own: number): boolean => {
    const [source, queue] = longest() ?? [];
    if (source === undefined || !queue || queue.length <= own + 1) return false;
    queue.pop()?.reject(new PasswordsBusy('Too many concurrent sign-ins'));
    size -= 1;
    return true;
  };

  return {
    /** False when there is no space for it. */
    add: (source: string, waiting: Waiting): boolean => {
      const queue = sources.get(source) ?? [];
      if (size >= capacity && !makeSpace(queue.length)) return false;
      queue.push(waiting);
      size += 1;
      if (queue.length === 1) sources.set(source, queue);
      return true;
    },
    next: (): Waiting | undefined => {
      const [source, queue] = sources.entries().next().value ?? [];
      if (source === undefined || !queue) return undefined;
      const waiting = queue.shift();
      size -= 1;
      sources.delete(source);
      if (queue.length > 0) sources.set(source, queue); // behind the others
      return waiting;
    },
  };
};

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
  const queue = createFairQueue(maxWaiting);
  let running = 0;
  let nobodys: Promise<string> | undefined;

  const inTurn = async <T>(source: string, work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      await new Promise<void>((start, reject) => {
        if (!queue.add(source, { start, reject })) reject(new PasswordsBusy('Too many concurrent sign-ins'));
      });
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.next();
      if (next) next.start();
      else running -= 1;
    }
  };

  return {
    hash: (password) => inTurn(INTERNAL, () => hash(password, OPTIONS)),
    verify: (phc, password, source = INTERNAL) =>
      inTurn(source, async () => {
        if (phc !== null) return verify(phc, password);
        nobodys ??= hash(randomBytes(32), OPTIONS);
        await verify(await nobodys, password);
        return false;
      }),
    isGuessable: createPasswordStrength(),
  };
};
