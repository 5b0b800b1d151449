import { describe, expect, it } from 'vitest';
import { ERASED } from '../../src/domain/event.ts';
import { codecs } from '../../src/eventstore/codecs/codecs.ts';
import { withoutPersonalData } from '../../src/projections/history/sentences.ts';

/** Sealed fields that no entry of the history contains. */
const NOT_SHOWN = new Set([
  'licenseKey',
  'clientSecret',
  'subject',
  'masterLicenseKey',
  'passwordHash',
  'password',
  'apiToken',
  'address',
  'secret',
  'credentialId',
  'publicKey',
]);

/** What the history calls a field of an event, if not by its name. */
const SHOWN_AS: Readonly<Record<string, string>> = { reason: 'statusReason' };

const sealed = Object.values(codecs).flatMap(({ events }) =>
  Object.values(events).flatMap(({ version, shapes }) => shapes[version]?.sealed ?? []),
);
const shown = [...new Set(sealed)].filter((field) => !NOT_SHOWN.has(field)).map((field) => SHOWN_AS[field] ?? field);

describe('an entry of the history, after the erasure', () => {
  it.each(shown)('does not contain %s, which is sealed in its event', (field) => {
    const facts = { [field]: 'personal' };
    expect(withoutPersonalData({ now: facts, before: facts })).toEqual({ now: { [field]: ERASED }, before: { [field]: ERASED } });
  });
});
