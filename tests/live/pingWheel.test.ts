import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPingWheel, type Pinged } from '../../src/live/pingWheel.ts';

let now = 0;

const socket = (answers: boolean) => {
  const seen = { pings: [] as number[], lostAt: null as number | null };
  const pinged: Pinged = {
    missed: 0,
    ping: () => {
      seen.pings.push(now);
      if (answers) pinged.missed = 0;
    },
    lose: () => {
      seen.lostAt ??= now;
    },
  };
  return { pinged, seen };
};

const pass = (seconds: number): void => {
  for (let second = 0; second < seconds; second++) {
    now += 1;
    vi.advanceTimersByTime(1_000);
  }
};

beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('pings every socket every 15 seconds, spread over time', () => {
  const wheel = createPingWheel();
  const sockets = Array.from({ length: 30 }, () => socket(true));
  for (const { pinged } of sockets) wheel.add(pinged);
  pass(60);
  wheel.stop();
  for (const { seen } of sockets) {
    expect(seen.pings).toHaveLength(4);
    expect((seen.pings[1] ?? 0) - (seen.pings[0] ?? 0)).toBe(15);
    expect(seen.lostAt).toBeNull();
  }
  expect(new Set(sockets.map(({ seen }) => seen.pings[0])).size).toBe(15);
});

it('loses a socket after its second missed ping, within 35 seconds', () => {
  const wheel = createPingWheel();
  const silent = Array.from({ length: 15 }, () => socket(false));
  for (const { pinged } of silent) {
    const takeOut = wheel.add(pinged);
    const { lose } = pinged;
    pinged.lose = () => {
      lose();
      takeOut();
    };
  }
  pass(36);
  wheel.stop();
  for (const { seen } of silent) {
    expect(seen.pings).toHaveLength(2);
    expect(seen.lostAt).toBeLessThanOrEqual(36); // the first tick comes a second after the start
    expect((seen.lostAt ?? 0) - (seen.pings[1] ?? 0)).toBe(5);
  }
});

it('does not ping a removed socket', () => {
  const wheel = createPingWheel();
  const { pinged, seen } = socket(false);
  wheel.add(pinged)();
  pass(60);
  wheel.stop();
  expect(seen).toEqual({ pings: [], lostAt: null });
});
