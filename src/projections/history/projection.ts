import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { credentialEntries } from './credentialEntries.ts';
import { customerEntries, seatDenialEntries, userActivityEntries } from './customerEntries.ts';
import { record } from './entries.ts';
import { integratorEntries, themeEntries } from './integratorEntries.ts';
import { operationsEntries } from './operationsEntries.ts';
import { planEntries } from './planEntries.ts';
import { seatLeaseEntries } from './seatEntries.ts';
import { teamEntries } from './teamEntries.ts';

/**
 * What happened to a customer or an integrator, as sentences. It reads the rows of other read models as they were before the event, so it
 * comes first in its group.
 */
export const history: Projection<MainRows> = {
  name: 'history',
  version: 18,
  on: {
    customer: customerEntries,
    userActivity: userActivityEntries,
    credential: credentialEntries,
    themes: themeEntries,
    integrator: integratorEntries,
    apiCalls: 'ignored',
    // Sign-ins of former versions are in the list of sign-ins.
    adminActivity: {
      AdminSignedIn: 'ignored',
      AdminSignInRefused: 'ignored',
      AdminKeyRotated: (recorded, rows) => record(recorded, rows, {}),
    },
    seatDenials: seatDenialEntries,
    seatLeases: seatLeaseEntries,
    signIns: 'ignored',
    team: teamEntries,
    operations: operationsEntries,
    plans: planEntries,
  },
};
