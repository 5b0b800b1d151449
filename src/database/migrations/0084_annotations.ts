import { type Kysely, type Migration, sql } from 'kysely';

/** Finds the entries of the history that annotate charts, by time. */
export const annotations: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create index history_annotation on read.history (at)
      where type in ('CustomerSuspended', 'CustomerReactivated', 'IntegratorSuspended', 'IntegratorReactivated',
        'LicenseKeyRotated', 'MasterLicenseKeyRotated', 'AdminKeyRotated', 'ServerStarted', 'ReadModelsRebuilt',
        'AlertFired', 'AlertResolved')`.execute(db);
  },
};
