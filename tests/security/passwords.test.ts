import { describe, expect, it } from 'vitest';
import { createPasswords, PasswordsBusy } from '../../src/security/passwords.ts';

describe('passwords', () => {
  it('are stored as argon2id hashes and verified', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'battery staple')).toBe(false);
  });

  it('never match if there is no hash', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(null, 'anything')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });

  it('are verified a few at a time, and rejected if the queue is full', async () => {
    const passwords = createPasswords({ concurrency: 1, maxWaiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.verify(null, 'flood')));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PasswordsBusy);
    expect(await passwords.verify(null, 'later')).toBe(false);
  });

  it('of one source do not delay those of another, and are dropped first if the queue is full', async () => {
    const passwords = createPasswords({ concurrency: 1, maxWaiting: 4 });
    const ended: string[] = [];
    const verify = (source: string) =>
      passwords.verify(null, 'x', source).then(
        () => void ended.push(source),
        (error: unknown) => void ended.push(`${source} ${error instanceof Error ? error.name : ''}`),
      );
    const flood = Array.from({ length: 6 }, () => verify('flood'));
    await Promise.all([...flood, verify('clean'), verify('other')]);
    expect(ended).toEqual([
      'flood PasswordsBusy',
      'flood PasswordsBusy',
      'flood PasswordsBusy',
      'flood',
      'flood',
      'clean',
      'other',
      'flood',
    ]);
  });

  it('are verified after one that failed', async () => {
    const passwords = createPasswords({ concurrency: 1 });
    await expect(passwords.verify('not a hash', 'x')).rejects.toThrow();
    expect(await passwords.verify(null, 'x')).toBe(false);
  });
});
