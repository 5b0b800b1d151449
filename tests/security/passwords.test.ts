import { describe, expect, it } from 'vitest';
import { createPasswords, PasswordsBusy } from '../../src/security/passwords.ts';

describe('passwords', () => {
  it('are kept as argon2id and recognised', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'battery staple')).toBe(false);
  });

  it('match nobody where there is no hash', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(null, 'anything')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });

  it('are checked a few at a time, and those who find the line full are sent away', async () => {
    const passwords = createPasswords({ concurrency: 1, maxWaiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.verify(null, 'flood')));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PasswordsBusy);
    expect(await passwords.verify(null, 'later')).toBe(false);
  });

  it('let the next one through after one that failed', async () => {
    const passwords = createPasswords({ concurrency: 1 });
    await expect(passwords.verify('not a hash', 'x')).rejects.toThrow();
    expect(await passwords.verify(null, 'x')).toBe(false);
  });
});
