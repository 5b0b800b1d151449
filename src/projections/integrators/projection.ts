import type { IntegratorRow } from '../../database/tables/integrators.ts';
import type { AccountStatus } from '../../domain/enumerations.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { dayOf } from '../../domain/time.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import { NO_FRAGMENTS } from '../lists/keyFragments.ts';
import { searchTextOf, sortNameOf } from '../lists/search.ts';
import type { MainRows } from '../main/rows.ts';
import { EVERYTHING } from '../scope.ts';
import { eraseSignIns } from '../signIns/projection.ts';

type OfIntegrator = RecordedEvent<AnyEvent, IntegratorId>;
type Changed = (integrator: Readonly<IntegratorRow>, rows: MainRows) => Partial<IntegratorRow>;

const changing =
  (change: Changed) =>
  (recorded: OfIntegrator, rows: MainRows): void => {
    const integrator = rows.integrators.get(recorded.subject);
    if (integrator) rows.integrators.change(integrator, { ...change(integrator, rows), revision: Number(recorded.revision) });
  };

const seen = changing(() => ({}));

const named = (companyName: string, contactEmail: string, billingEmail: string) => ({
  company_name: companyName,
  contact_email: contactEmail,
  billing_email: billingEmail,
  sort_name: sortNameOf(companyName),
  search: searchTextOf(companyName, contactEmail, billingEmail),
});

/** Counts the integrator in its own scope and in everything's. */
const count = (
  rows: MainRows,
  { subject, at }: OfIntegrator,
  status: AccountStatus,
  integrators: 1 | -1,
  registered: 0 | 1,
): void => {
  for (const scope of [subject, EVERYTHING]) {
    rows.tally.add({ kind: 'integrator', scope, name: status, n: integrators });
    rows.statDays.add({
      scope,
      day: dayOf(at),
      registered: 0,
      customers: 0,
      active: 0,
      integrators_registered: registered,
      integrators,
    });
  }
};

const became = (status: AccountStatus) =>
  changing((integrator, rows) => {
    for (const scope of [integrator.integrator_id, EVERYTHING]) {
      rows.tally.add({ kind: 'integrator', scope, name: integrator.status, n: -1 });
      rows.tally.add({ kind: 'integrator', scope, name: status, n: 1 });
    }
    return { status };
  });

/** One row an integrator, and how many there are. */
export const integrators: Projection<MainRows> = {
  name: 'integrators',
  version: 2,
  on: {
    integrator: {
      IntegratorRegistered: (recorded, rows) => {
        const { companyName, contactEmail, billingEmail } = recorded.event.data;
        rows.integrators.put({
          integrator_id: recorded.subject,
          ...named(companyName, contactEmail, billingEmail),
          master_digest: null,
          master_sealed: null,
          master_event: null,
          key_fragments: NO_FRAGMENTS,
          status: 'active',
          white_label_enabled: false,
          custom_domain: null,
          logo_url: null,
          created_at: recorded.at,
          revision: Number(recorded.revision),
        });
        count(rows, recorded, 'active', 1, 1);
      },
      MasterLicenseIssued: (recorded, rows) =>
        changing(() => licensed(recorded, recorded.event.data.masterLicenseKey, rows))(recorded, rows),
      MasterLicenseKeyRotated: (recorded, rows) =>
        changing(() => licensed(recorded, recorded.event.data.masterLicenseKey, rows))(recorded, rows),
      IntegratorProfileChanged: (recorded, rows) => {
        const { companyName, contactEmail, billingEmail } = recorded.event.data;
        changing(() => named(companyName, contactEmail, billingEmail))(recorded, rows);
      },
      IntegratorSuspended: became('suspended'),
      IntegratorReactivated: became('active'),
      IntegratorChurned: became('churned'),
      WhiteLabelEnabled: changing(() => ({ white_label_enabled: true })),
      WhiteLabelDisabled: changing(() => ({ white_label_enabled: false })),
      BrandingChanged: (recorded, rows) => {
        const { customDomain, logoUrl } = recorded.event.data;
        changing(() => ({ custom_domain: customDomain, logo_url: logoUrl }))(recorded, rows);
      },
      CustomerEnrolled: seen,
      CustomerMoveBegun: seen,
      CustomerWithdrawn: seen,
      ExternalIdClaimed: seen,
      ExternalIdReleased: seen,
      IntegratorDeleted: (recorded, rows) => {
        const integrator = rows.integrators.get(recorded.subject);
        if (!integrator) return;
        count(rows, recorded, integrator.status, -1, 0);
        rows.integrators.remove(integrator);
        eraseSignIns('integrator_id', recorded.subject, rows);
      },
    },
    customer: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
  },
};

const licensed = (recorded: RecordedEvent, masterLicenseKey: string, rows: MainRows): Partial<IntegratorRow> => ({
  master_digest: rows.digestOf(masterLicenseKey),
  master_sealed: recorded.sealed.masterLicenseKey ?? null,
  master_event: recorded.event.type,
  key_fragments: rows.fragmentsOf(masterLicenseKey),
});
