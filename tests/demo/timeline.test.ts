import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { customerSpecs, integratorSpecs } from '../../src/demo/specs.ts';
import { timelineOf } from '../../src/demo/timeline.ts';
import { yearOfUsage } from '../../src/demo/yearOfUsage.ts';
import { DAY_MS } from '../../src/domain/time.ts';

const now = new Date('2026-11-22T12:00:00Z');

const random = seededRandom(7);
const customers = customerSpecs(random).map((spec) => ({ spec, timeline: timelineOf(random, spec) }));

describe.each(customers)('the timeline of $spec.name', ({ spec, timeline }) => {
  it('begins after that of its service integrator', () => {
    expect(timeline.registered).toBeLessThan(integratorSpecs[spec.integrator]?.sinceDaysAgo ?? 0);
  });

  it('has users who sign in between their registration and their end, and portal users who never do', () => {
    for (const [index, { registered, lastSignIn, deactivated }] of timeline.users.entries()) {
      const user = spec.users[index];
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
    const flushes = [...yearOfUsage(11, spec, now)].flat();
    const times = flushes.flatMap(({ calls }) => calls.map(({ at }) => Date.parse(at)));
    const ended = now.getTime() - timeline.ended * DAY_MS;
    const registered = now.getTime() - (timeline.users[0]?.registered ?? 0) * DAY_MS;
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((at) => at > registered && at < ended)).toBe(true);
    const newest = times.reduce((one, other) => Math.max(one, other));
    expect(ended - newest).toBeLessThan(2 * DAY_MS);
    for (const { at, calls } of flushes) expect(calls.every((call) => call.at <= at)).toBe(true);
    const sequences = flushes.flatMap(({ firstSequence, calls }) => calls.map((_, index) => firstSequence + index));
    expect([...sequences].sort((one, other) => one - other)).toEqual(times.map((_, index) => index + 1));
  });

  it('has the calls of past days in working hours, whatever the time of day at which the demo is made', () => {
    const night = new Date('2026-11-22T01:10:00Z');
    const [, ...past] = [...yearOfUsage(11, spec, night)];
    const hours = new Set(past.flat().flatMap(({ calls }) => calls.map(({ at }) => new Date(at).getUTCHours())));
    expect([...hours].sort((one, other) => one - other)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  });

  it('has a term that begins before it expires, and has ended only if the account has', () => {
    if (spec.license === null) return;
    expect(spec.license.expiresInDays).toBeGreaterThan(-timeline.registered);
    if (spec.license.expiresInDays < -14) expect(spec.status).not.toBe('active');
  });

  it('has a deletion request only while it is active, and a reason for each account that is not', () => {
    if (spec.deletionRequest) expect(spec.deletionRequest.daysAgo).toBeLessThan(timeline.registered);
    if (spec.status !== 'active') expect(spec.deletionRequest).toBeNull();
    expect(spec.endReason === null).toBe(spec.status === 'active');
    for (const { status, statusReason } of spec.users) expect(statusReason === null).toBe(status === 'active');
  });
});
