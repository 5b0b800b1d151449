import type { HelpText } from '../cli/terminal/help.ts';

/** Names the audit log among the groups of read models. */
export const AUDIT_LOG = 'auditLog';

const STORES = [
  ['DATA_DIR', 'data directory of the embedded stores (default ./data)'],
  ['DATABASE_URL', 'external PostgreSQL'],
  ['EVENTSTORE_URL', 'external EventStoreDB'],
  ['MASTER_SECRET', 'if it is not stored in DATA_DIR'],
] as const;

/** How commands that need a store end without one. */
const NO_STORE = { usage: 'wrong usage, or no store found' } as const;

type Described = Readonly<{ summary: string; about: string; help: HelpText }>;

/** The help texts of `latchkey-admin` and its commands. */
export const ADMIN_PROGRAM: HelpText = {
  examples: [
    ['latchkey-admin verify', 'check that the read models match the events'],
    ['DATA_DIR=/srv/latchkey latchkey-admin export > events.ndjson', 'with the data directory of a server'],
    ['latchkey-admin help rebuild', 'help for one command'],
  ],
  exits: {
    done: 'done',
    failed: 'failed, interrupted, differences found, or streams still stalled',
    ...NO_STORE,
    refused: 'backup, restore or copy-events was refused: the message says why',
  },
  environment: STORES,
  more: 'It works with or without a running server. docs/operations.md describes each command.',
};

export const ADMIN_COMMANDS = {
  rebuild: {
    summary: 'rebuild read models',
    about: 'Build new read models from the events, then replace the active ones.',
    help: {
      examples: [
        ['latchkey-admin rebuild', 'all groups'],
        ['latchkey-admin rebuild usage', 'one group'],
      ],
      exits: { done: 'rebuilt and active', failed: 'failed, interrupted, or another node is rebuilding', ...NO_STORE },
      environment: STORES,
    },
  },
  verify: {
    summary: 'compare read models and the audit log with the events',
    about:
      'Rebuild read models into a separate schema and compare every row with the active ones. Compare each event with the audit log.',
    help: {
      examples: [
        ['latchkey-admin verify', 'all groups and the audit log'],
        ['latchkey-admin --json verify main', 'one group, as JSON'],
        ['latchkey-admin verify auditLog', 'the audit log only'],
      ],
      exits: { done: 'no differences', failed: 'failed, interrupted, or something differs', ...NO_STORE },
      environment: STORES,
    },
  },
  retry: {
    summary: 'retry stalled streams',
    about: 'Retry the streams that stalled because one of their events could not be projected.',
    help: {
      examples: [['latchkey-admin retry', 'after an upgrade that fixes the cause']],
      exits: { done: 'no stream is stalled', failed: 'failed, or streams are still stalled', ...NO_STORE },
      environment: STORES,
    },
  },
  'rotate-admin-key': {
    summary: 'replace the generated admin key',
    about: 'Replace the generated admin key, end administrator sessions, and print the new key once.',
    help: {
      examples: [['latchkey-admin rotate-admin-key', 'when it was lost or disclosed']],
      exits: { done: 'replaced', failed: 'failed, or ADMIN_KEY sets the key', ...NO_STORE },
      environment: STORES,
    },
  },
  'rotate-master-secret': {
    summary: 'wrap every data key under a new master secret',
    about: 'Wrap every data key under a new master secret. Stop every server first.',
    help: {
      examples: [
        ['latchkey-admin rotate-master-secret', 'with the embedded stores, where a running server is detected'],
        ['latchkey-admin rotate-master-secret --servers-are-stopped', 'with external stores'],
      ],
      exits: { done: 'rewrapped', failed: 'failed, or a server is running; run again after a crash', ...NO_STORE },
      environment: [...STORES, ['NEW_MASTER_SECRET', 'new secret, if MASTER_SECRET sets the old one']],
    },
  },
  statement: {
    summary: 'verify statements of usage',
    about: 'Verify a monthly statement of usage offline.',
    help: {
      examples: [['latchkey-admin statement verify statement.json --keys jwks.json', 'a file, without a server']],
      exits: { done: 'done', failed: 'failed, or a file is not as it was signed' },
    },
  },
  statementVerify: {
    summary: 'verify a statement offline',
    about:
      'Verify a monthly statement of usage, without a server or a database: that the server signed it, and that the file was not changed. Of a printed page, pass the verification code in a file.',
    help: {
      examples: [
        ['latchkey-admin statement verify statement.json --keys jwks.json', 'the JSON file'],
        ['latchkey-admin statement verify statement.csv --keys jwks.json', 'the CSV file, or the page to print'],
        [
          'latchkey-admin statement verify statement.json --keys jwks.json --csv statement.csv',
          'and the CSV file of the same moment',
        ],
      ],
      exits: { done: 'verified', failed: 'a file was changed or forged', usage: 'wrong usage, or a file is missing' },
      more: 'The public keys are at the address of the server with /.well-known/jwks.json.',
    },
  },
  'rotate-signing-key': {
    summary: 'replace the key that signs offline licenses and statements',
    about:
      'Replace the key that signs offline licenses and statements of usage. The former key stays published: for good if it signed a statement, otherwise until its last offline license expires. With --revoke, no former key stays published, so that nobody can use a disclosed one: users fetch new licenses, and former statements are not valid any more.',
    help: {
      examples: [
        ['latchkey-admin rotate-signing-key', 'at regular intervals'],
        ['latchkey-admin rotate-signing-key --revoke', 'when the database or the master secret was disclosed'],
      ],
      exits: { done: 'replaced', failed: 'failed', ...NO_STORE },
      environment: STORES,
    },
  },
  scavenge: {
    summary: 'permanently remove events of deleted streams',
    about: 'Permanently remove events that can no longer be read, such as those of deleted customers.',
    help: {
      examples: [['latchkey-admin scavenge', 'while the server runs, at a quiet time']],
      exits: { done: 'removed', failed: 'failed, or stopped before the end', ...NO_STORE },
      environment: STORES,
    },
  },
  'confirm-store': {
    summary: 'confirm the event store after it was replaced or restored',
    about:
      'Policies stop if the event store is another one, or lacks events that they have handled. Say "same" if it has the same events: they continue. Say "different" otherwise: they delete their notes and start over. The audit log waits, too: either answer lets it find its events in the store. Without an argument, list what waits.',
    help: {
      examples: [
        ['latchkey-admin confirm-store', 'which policies wait, and why'],
        ['latchkey-admin confirm-store different', 'after a backup of the event store was restored'],
      ],
      exits: { done: 'no policy waits', failed: 'failed, or policies wait for a confirmation', ...NO_STORE },
      environment: STORES,
    },
  },
  'allow-key-sign-in': {
    summary: 'allow sign-in with a key that a sign-in policy turned off',
    about:
      'Let the admin key sign in again, if no owner with a second factor can. With the id of a service integrator, do the same for its master license key.',
    help: {
      examples: [
        ['latchkey-admin allow-key-sign-in', 'the admin key'],
        ['latchkey-admin allow-key-sign-in 3f0c2a5e-8f4b-4d0a-9b61-52a1a8c7e111', 'the key of one service integrator'],
      ],
      exits: { done: 'allowed', failed: 'failed, or there is no such service integrator', ...NO_STORE },
      environment: STORES,
    },
  },
  'grant-store-access': {
    summary: 'let a user of EventStoreDB read $all',
    about:
      'Add a user to the read roles in the ACL of $all. EVENTSTORE_URL must contain the login of an administrator of EventStoreDB.',
    help: {
      examples: [['latchkey-admin grant-store-access latchkey', 'the login that the servers use']],
      exits: { done: 'granted', failed: 'failed, or EVENTSTORE_URL is not set or names no administrator' },
      environment: [['EVENTSTORE_URL', 'EventStoreDB, with the login of an administrator']],
    },
  },
  export: {
    summary: 'export all events as NDJSON',
    about: 'Print every event as a line of JSON, decrypted except for passwords and tokens.',
    help: {
      examples: [['latchkey-admin export > events.ndjson', 'to a file']],
      exits: { done: 'printed', failed: 'failed or interrupted', ...NO_STORE },
      environment: STORES,
    },
  },
  audit: {
    summary: 'verify exports of the history, and sign the audit log',
    about: 'Verify exports of the history offline, sign a checkpoint of the audit log, or replace its key.',
    help: {
      examples: [['latchkey-admin audit verify history-verified.ndjson', 'a file, without a server']],
      exits: { done: 'done', failed: 'failed, or a file is not as it was exported' },
    },
  },
  auditVerify: {
    summary: 'verify an export of the history offline',
    about:
      'Verify a verified export of a history, without a server or a database: that no entry was changed, removed, reordered or forged, and that its events are in the audit log.',
    help: {
      examples: [
        ['latchkey-admin audit verify history-verified.ndjson --key latchkey.keys', 'with the keys of the server'],
        ['latchkey-admin audit verify FILE --key KEY --checkpoint OLD --proof PROOF', 'that the log continues an older checkpoint'],
      ],
      exits: {
        done: 'verified',
        failed: 'the file was changed or forged',
        usage: 'wrong usage, or a file or the proof is missing',
      },
      more: 'docs/audit-log.md describes the formats, and what is proven.',
    },
  },
  auditCheckpoint: {
    summary: 'sign a checkpoint now',
    about: 'Sign a checkpoint of the audit log as it is, and print it. A server signs one each hour.',
    help: {
      examples: [['latchkey-admin audit checkpoint > checkpoint.txt', 'to keep it elsewhere']],
      exits: { done: 'signed', failed: 'failed', ...NO_STORE },
      environment: STORES,
    },
  },
  auditRotateKey: {
    summary: 'replace the key that signs',
    about:
      'Replace the key that signs the audit log. The new and the former key sign a checkpoint, which proves the change. Former keys stay public.',
    help: {
      examples: [['latchkey-admin audit rotate-key', 'when the database or the master secret was disclosed']],
      exits: { done: 'replaced', failed: 'failed', ...NO_STORE },
      environment: STORES,
    },
  },
  backup: {
    summary: 'back up the embedded stores',
    about: 'Write a consistent backup of the embedded stores, with the secrets of DATA_DIR, into an empty directory.',
    help: {
      examples: [['latchkey-admin backup /backups/2026-01-31', 'while the server runs']],
      exits: {
        done: 'complete',
        failed: 'failed or interrupted: remove the incomplete backup',
        refused: 'nothing was written, for example because the directory is not empty: name another one',
        ...NO_STORE,
      },
      environment: [['DATA_DIR', 'data directory of the embedded stores (default ./data)']],
    },
  },
  restore: {
    summary: 'restore a backup into an empty data directory',
    about: 'Copy a backup into DATA_DIR, which must be empty or missing.',
    help: {
      examples: [['DATA_DIR=/srv/latchkey latchkey-admin restore /backups/2026-01-31', 'then start the server']],
      exits: {
        done: 'restored',
        failed: 'failed or interrupted; run again',
        refused: 'nothing was written: DATA_DIR is not empty, or the backup is not complete',
      },
      environment: [['DATA_DIR', 'an empty or new directory (default ./data)']],
    },
  },
  'copy-events': {
    summary: 'copy all events to another event store',
    about:
      'Copy all events to an empty event store, or continue such a copy. The servers may run: stop them, copy the remainder by the same command, and start them with the new store.',
    help: {
      examples: [
        ["latchkey-admin copy-events --to 'esdb://user:password@host:2113?tls=true'", 'from the store of the server'],
        ['latchkey-admin copy-events --from URL --to URL', 'between any two stores'],
      ],
      exits: {
        done: 'copied',
        failed: 'failed or interrupted; run again to continue',
        refused: 'the stores are no source and target of one copy; do what the message says',
        ...NO_STORE,
      },
      environment: STORES,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
