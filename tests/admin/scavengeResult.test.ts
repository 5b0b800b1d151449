import { expect, it } from 'vitest';
import { scavenge } from '../../src/admin/commands.ts';

it('reports that the files of EventStoreDB have grown, instead of a negative number of removed bytes', async () => {
  const outcome = { id: 'a', result: 'success', error: null, eventsRemoved: null, bytesSaved: -40_960 } as const;
  const printed: unknown[] = [];
  const print = {
    step: () => undefined,
    progress: () => undefined,
    result: (value: object, text: string) => printed.push(value, text),
  };
  expect(await scavenge({ scavenge: async () => outcome }, print, new AbortController().signal)).toBe(true);
  expect(printed).toEqual([
    { result: 'success', error: null, eventsRemoved: null, bytesSaved: -40_960 },
    'event store: 0 bytes removed, 40960 bytes added',
  ]);
});
