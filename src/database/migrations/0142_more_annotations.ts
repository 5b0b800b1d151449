import { type Kysely, type Migration, sql } from 'kysely';

/** Adds churned customers and integrators, and the status of users, to the index of annotations. */
export const moreAnnotations: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`drop index read.history_annotation`.execute(db);
    await sql`
      create index history_annotation on read.history (at)
      where type in ('CustomerSuspended', 'CustomerChurned', 'CustomerReactivated', 'IntegratorSuspended', 'IntegratorChurned',
        'IntegratorReactivated', 'LicenseKeyRotated', 'MasterLicenseKeyRotated', 'AdminKeyRotated', 'ServerStarted',
        'ReadModelsRebuilt', 'AlertFired', 'AlertResolved', 'UserSuspended', 'UserDeactivated', 'UserActivated')`.execute(db);
  },
};
