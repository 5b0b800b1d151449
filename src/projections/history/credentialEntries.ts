import type { AnyEvent } from '../../domain/events.ts';
import type { CredentialId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { type Entry, record } from './entries.ts';

/** An entry for a credential, unless its customer is deleted. */
const ofCredential = (
  recorded: RecordedEvent<
    AnyEvent & { type: 'CredentialTested' | 'CredentialExpired' | 'CredentialDeleted' | 'CredentialRevised' },
    CredentialId
  >,
  rows: MainRows,
  { now = {}, before = {} }: Pick<Entry, 'now' | 'before'> = {},
): void => {
  const credential = rows.credentials.get(recorded.subject);
  if (!credential) return;
  const { service, instance_url: instanceUrl, customer_id: customerId } = credential;
  record(recorded, rows, { customerId, credentialId: recorded.subject, now: { service, instanceUrl, ...now }, before });
};

/** Entries for the events of credentials. */
export const credentialEntries: Projection<MainRows>['on']['credential'] = {
  CredentialStored: (recorded, rows) => {
    const { customerId, service, instanceUrl } = recorded.event.data;
    if (!rows.customers.get(customerId)) return;
    record(recorded, rows, { customerId, credentialId: recorded.subject, now: { service, instanceUrl } });
  },
  CredentialRevised: (recorded, rows) => {
    const { instanceUrl, password, apiToken, cleared } = recorded.event.data;
    ofCredential(recorded, rows, {
      now: {
        instanceUrl,
        secretChanged: password !== null || apiToken !== null,
        secretRemoved: cleared.includes('password') || cleared.includes('apiToken'),
      },
      before: { instanceUrl: rows.credentials.get(recorded.subject)?.instance_url ?? null },
    });
  },
  CredentialTested: (recorded, rows) => {
    const { ok, detail } = recorded.event.data;
    ofCredential(recorded, rows, { now: { ok, detail } });
  },
  CredentialExpired: (recorded, rows) => ofCredential(recorded, rows),
  CredentialDeleted: (recorded, rows) => ofCredential(recorded, rows),
};
