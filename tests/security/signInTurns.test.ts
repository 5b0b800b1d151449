import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CONCURRENT, createSignInTurns } from '../../src/security/signInTurns.ts';

/** Work that the test ends, and that reports its start. */
const openWork = () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async (): Promise<string> => {
    started.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  const endAll = (): void => {
    for (const end of ends.splice(0)) end();
  };
  /** Completes all started evaluations, and those that start then. */
  const endUntil = async (all: Promise<unknown>): Promise<void> => {
    let isDone = false;
    const done = all.then(() => {
      isDone = true;
    });
    while (!isDone) {
      endAll();
      await sleep(1);
    }
    await done;
  };
  return { started, work, endAll, endUntil };
};

describe('many requests from addresses that guessed wrong', () => {
  it('are evaluated a few at a time, and do not delay other addresses', async () => {
    const { started, work, endAll, endUntil } = openWork();
    let time = 0;
    const turns = createSignInTurns({ now: () => time });
    const addresses = Array.from({ length: CONCURRENT + 3 }, (_, index) => `198.51.100.${index}`);
    for (const address of addresses) turns.suspect(address);
    const flood = addresses.map((address) => turns.run(address, work(address)));
    const clean = turns.run('203.0.113.1', work('clean'));
    expect(started).toEqual([...addresses.slice(0, CONCURRENT), 'clean']);
    expect(turns.waiting()).toBe(3);
    const again = turns.run('203.0.113.1', work('clean again'));
    expect(started).not.toContain('clean again');
    await endUntil(Promise.all([...flood, clean, again]));
    time = 60_000;
    const later = addresses.map((address) => turns.run(address, work(`${address} later`)));
    expect(started.filter((name) => name.endsWith('later'))).toHaveLength(addresses.length);
    endAll();
    await Promise.all(later);
  });
});
