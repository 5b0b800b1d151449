import { describe, expect, it } from 'vitest';
import { castCustomers, integrators } from '../../src/bootstrap/demo/cast.ts';
import { seededRandom } from '../../src/bootstrap/demo/random.ts';
import { timelineOf } from '../../src/bootstrap/demo/timeline.ts';
import { yearOfUsage } from '../../src/bootstrap/demo/yearOfUsage.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-11-22T12:00:00Z');

const random = seededRandom(7);
const customers = castCustomers(random).map((cast) => ({ cast, timeline: timelineOf(random, cast) }));

describe.each(customers)('the past of $cast.name', ({ cast, timeline }) => {
  it('begins after that of its service integrator', () => {
    expect(timeline.registered).toBeLessThan(integrators[cast.integrator]?.sinceDaysAgo ?? 0);
  });

  it('has users who sign in between their registration and their end, and portal users who never do', () => {
    for (const [index, { registered, lastSignIn, deactivated }] of timeline.users.entries()) {
      const user = cast.users[index];
      expect(registered).toBeLessThanOrEqual(timeline.registered);
      expect(deactivated === null).toBe(user?.status === 'active');
      expect(lastSignIn === null).toBe(user?.role === 'stakeholder');
      expect(user?.machineId === null).toBe(user?.role === 'stakeholder');
      if (deactivated !== null) expect(deactivated).toBeLessThanOrEqual(registered);
      if (lastSignIn === null) continue;
      expect(lastSignIn).toBeLessThanOrEqual(registered);
      expect(lastSignIn).toBeGreaterThanOrEqual(deactivated ?? timeline.ended);
    }
  });

  it('has credentials that are stored before they are tested, both before its end', () => {
    expect(timeline.credentialsStored).toBeLessThan(timeline.registered);
    expect(timeline.credentialsTested).toBeLessThanOrEqual(timeline.credentialsStored);
    expect(timeline.credentialsTested).toBeGreaterThanOrEqual(timeline.ended);
  });

  it('has calls between the registration of its first user and its end', () => {
    const times = [...yearOfUsage(seededRandom(11), cast, now)].flatMap(({ calls }) => calls.map(({ at }) => Date.parse(at)));
    const ended = now.getTime() - timeline.ended * DAY_MS;
    const registered = now.getTime() - (timeline.users[0]?.registered ?? 0) * DAY_MS;
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((at) => at > registered && at < ended)).toBe(true);
    const newest = times.reduce((one, other) => Math.max(one, other));
    expect(ended - newest).toBeLessThan(2 * DAY_MS);
  });
});
