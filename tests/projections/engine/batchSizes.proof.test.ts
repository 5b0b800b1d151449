import { describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import type { AnyEvent, StreamCategory } from '../../../src/domain/events.ts';
import { teamIdOf } from '../../../src/domain/team/teamId.ts';
import type { StreamName } from '../../../src/eventstore/port.ts';
import { verify } from '../../../src/projections/engine/verify.ts';
import { everyEvent } from '../../support/builders/everyEvent.ts';
import { credentialIdOf, customerIdOf, integratorIdOf, userIdOf } from '../../support/builders/ids.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from '../fixture.ts';

const fixture = openFixture();
runGroups(fixture);

/** Owners before what they own; what is deleted is deleted last. */
const STREAMS: readonly (readonly [StreamCategory, StreamName])[] = [
  ['integrator', streams.integrator(integratorIdOf())],
  ['plans', streams.plans],
  ['themes', streams.themes(integratorIdOf())],
  ['customer', streams.customer(customerIdOf())],
  ['seatDenials', streams.seatDenials(customerIdOf())],
  ['seatLeases', streams.seatLeases(customerIdOf())],
  ['userActivity', streams.userActivity(userIdOf())],
  ['credential', streams.credential(credentialIdOf())],
  ['apiCalls', streams.apiCalls(customerIdOf(), '2026-01-31')],
  ['team', streams.team(teamIdOf({ kind: 'administration' }))],
  ['team', streams.team(teamIdOf({ kind: 'integrator', integratorId: integratorIdOf() }))],
  ['team', streams.team(teamIdOf({ kind: 'customer', customerId: customerIdOf() }))],
  ['adminActivity', streams.adminActivity],
  ['signIns', streams.signIns('2026-01-31')],
  ['operations', streams.servers],
];
const LAST: readonly string[] = ['UserRemoved', 'CustomerDeleted', 'IntegratorDeleted'];

const inOrder = (): (readonly [StreamCategory, StreamName, AnyEvent])[] => {
  const all = STREAMS.flatMap(([category, stream]) =>
    Object.values<AnyEvent>(everyEvent[category]).map((event) => [category, stream, event] as const),
  );
  const isLast = ([, , { type }]: (typeof all)[number]): boolean => LAST.includes(type);
  return [...all.filter((one) => !isLast(one)), ...LAST.flatMap((type) => all.filter(([, , event]) => event.type === type))];
};

describe('events that arrive one by one', () => {
  it('leave the rows that a rebuild makes of all of them together', async () => {
    expect(new Set(STREAMS.map(([category]) => category))).toEqual(new Set(Object.keys(everyEvent)));
    const deps = {
      ...runnerDeps(fixture),
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onParked: () => undefined,
    };
    const differences = async () => {
      const compared: unknown[] = [];
      for (const group of Object.values(plans)) compared.push(...(await verify(group, deps)).differences);
      return compared;
    };
    let isFirstOfLast = true;
    for (const [category, stream, event] of inOrder()) {
      if (LAST.includes(event.type) && isFirstOfLast) {
        isFirstOfLast = false;
        expect(await differences()).toEqual([]);
      }
      const position = await appendEvents(fixture, stream, [event]);
      await settled(fixture, category === 'apiCalls' ? 'usage' : 'read', position);
    }
    expect(await differences()).toEqual([]);
  });
});
