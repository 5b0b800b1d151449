import type { Lesson } from '../terminal/help.ts';

const STORES = [
  ['DATA_DIR', 'folder of the embedded stores; ./data otherwise'],
  ['DATABASE_URL', 'a PostgreSQL of your own'],
  ['EVENTSTORE_URL', 'an EventStoreDB of your own'],
  ['MASTER_SECRET', 'where it is not kept in DATA_DIR'],
] as const;

type Described = Readonly<{ summary: string; about: string; lesson: Lesson }>;

/** What help says of `latchkey-admin` and of each of its commands. */
export const ADMIN_PROGRAM: Lesson = {
  examples: [
    ['latchkey-admin verify', 'prove that the read models are what the events say'],
    ['DATA_DIR=/srv/latchkey latchkey-admin export > events.ndjson', 'on the data of a server that runs with the same DATA_DIR'],
    ['latchkey-admin help rebuild', 'all about one command'],
  ],
  exits: { done: 'done', failed: 'failed, interrupted, or something differs or is still held back' },
  environment: STORES,
  more: 'It works beside a running server, or without one. docs/operations.md says when each command is for.',
};

export const ADMIN_COMMANDS = {
  rebuild: {
    summary: 'build read models anew and swap them in',
    about: 'Build read models anew from the events, beside those that serve, then swap them.',
    lesson: {
      examples: [
        ['latchkey-admin rebuild', 'all of them'],
        ['latchkey-admin rebuild usage', 'one group'],
      ],
      exits: { done: 'rebuilt, and serves now', failed: 'failed, interrupted, or another node is at it' },
      environment: STORES,
    },
  },
  verify: {
    summary: 'compare read models with a rebuild, row by row',
    about: 'Build read models into a schema of their own and compare every row with those that serve.',
    lesson: {
      examples: [
        ['latchkey-admin verify', 'all of them'],
        ['latchkey-admin --json verify main', 'one group, for a program'],
      ],
      exits: { done: 'equal', failed: 'failed, interrupted, or something differs' },
      environment: STORES,
    },
  },
  retry: {
    summary: 'take in again the streams that were held back',
    about: 'Take in again the streams that were held back because an event of theirs could not be.',
    lesson: {
      examples: [['latchkey-admin retry', 'after an upgrade that mends the cause']],
      exits: { done: 'nothing is held back any more', failed: 'failed, or something still is' },
      environment: STORES,
    },
  },
  'rotate-admin-key': {
    summary: 'replace the generated admin key',
    about: 'Replace the generated admin key, end administrators’ sessions, and print the new key once.',
    lesson: {
      examples: [['latchkey-admin rotate-admin-key', 'when it was lost, or is known to somebody']],
      exits: { done: 'replaced', failed: 'failed, or ADMIN_KEY of the environment gives the key' },
      environment: STORES,
    },
  },
  'rotate-master-secret': {
    summary: 'wrap every data key under a new master secret',
    about: 'Wrap every data key under a new master secret. Stop every server first.',
    lesson: {
      examples: [
        ['latchkey-admin rotate-master-secret', 'with the embedded stores, where a running server is seen'],
        ['latchkey-admin rotate-master-secret --servers-are-stopped', 'with stores of your own'],
      ],
      exits: { done: 'wrapped anew', failed: 'failed, or a server runs; run again after a crash' },
      environment: [...STORES, ['NEW_MASTER_SECRET', 'the new one, where MASTER_SECRET gives the old one']],
    },
  },
  scavenge: {
    summary: 'remove events of deleted streams for good',
    about: 'Have the event store remove for good what can no longer be read, such as the events of deleted customers.',
    lesson: {
      examples: [['latchkey-admin scavenge', 'beside a running server, at a quiet time']],
      exits: { done: 'removed', failed: 'failed, or stopped before the end' },
      environment: STORES,
    },
  },
  export: {
    summary: 'print every event as a line of JSON',
    about: 'Print every event as a line of JSON, opened but for passwords and tokens.',
    lesson: {
      examples: [['latchkey-admin export > events.ndjson', 'for a record']],
      exits: { done: 'printed', failed: 'failed or interrupted' },
      environment: STORES,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
