import { describe, expect, it } from 'vitest';
import { readableError } from '../../../src/bootstrap/readableError.ts';
import { grantStoreAccess } from '../../../src/eventstore/access.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { failures } from '../../support/fakeEventStoreMessages.ts';
import { failureOf, openFake } from './support.ts';

describe('a scavenge without the right', () => {
  it('fails with one sentence', async () => {
    const fake = await openFake();
    const failure = await failureOf(scavengeStore(fake.url, new AbortController().signal));
    expect(readableError(failure)).toMatch(/^The user of EVENTSTORE_URL may not scavenge\. [^\n]+\$ops[^\n]+$/);
  });
});

describe('the right to read $all', () => {
  it('is granted beside the rights that are there', async () => {
    const fake = await openFake();
    expect(await grantStoreAccess(fake.url, 'latchkey')).toEqual(['$admins', 'latchkey']);
    expect(await grantStoreAccess(fake.url, 'reports')).toEqual(['$admins', 'latchkey', 'reports']);
    expect(await grantStoreAccess(fake.url, 'latchkey')).toEqual(['$admins', 'latchkey', 'reports']);
    expect(fake.events.map(({ stream, type }) => [stream, type])).toEqual(Array(3).fill(['$$$all', '$metadata']));
  });

  it('is granted if the clock of the store is ahead', async () => {
    const fake = await openFake();
    fake.script.clockAheadMs = 60_000;
    expect(await grantStoreAccess(fake.url, 'latchkey')).toEqual(['$admins', 'latchkey']);
  });

  it('is granted by an administrator only', async () => {
    const fake = await openFake();
    fake.script.append = () => failures.accessDenied();
    const failure = await failureOf(grantStoreAccess(fake.url, 'latchkey'));
    expect(readableError(failure)).toMatch(/^The user of EVENTSTORE_URL may not change the ACL of \$all\.[^\n]+$/);
  });
});
