import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { credentialEntries } from './credentialEntries.ts';
import { customerEntries, userActivityEntries } from './customerEntries.ts';
import { integratorEntries, themeEntries } from './integratorEntries.ts';
import { teamEntries } from './teamEntries.ts';

/**
 * What happened to a customer or an integrator, as sentences. It reads the rows of other read models as they were before the event, so it
 * comes first in its group.
 */
export const history: Projection<MainRows> = {
  name: 'history',
  version: 6,
  on: {
    customer: customerEntries,
    userActivity: userActivityEntries,
    credential: credentialEntries,
    themes: themeEntries,
    integrator: integratorEntries,
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
    team: teamEntries,
  },
};
