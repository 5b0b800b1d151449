import { type Migration, Migrator, sql } from 'kysely';
import { connectDatabase, type Database } from './database.ts';
import { vault } from './migrations/0001_vault.ts';
import { policy } from './migrations/0002_policy.ts';
import { read } from './migrations/0010_read.ts';
import { usage } from './migrations/0011_usage.ts';
import { ops } from './migrations/0012_ops.ts';
import { auth } from './migrations/0015_auth.ts';
import { http } from './migrations/0016_http.ts';
import { adminKey } from './migrations/0017_admin_key.ts';
import { domainClaims } from './migrations/0018_domain_claims.ts';
import { live } from './migrations/0020_live.ts';
import { listIndexes } from './migrations/0021_list_indexes.ts';
import { credentialReason } from './migrations/0022_credential_reason.ts';
import { givenAdminKey } from './migrations/0023_given_admin_key.ts';
import { lagMinutes } from './migrations/0024_lag_minutes.ts';
import { signInPermits } from './migrations/0025_sign_in_permits.ts';
import { signIns } from './migrations/0026_sign_ins.ts';
import { replyOwner } from './migrations/0028_reply_owner.ts';
import { domainExpiry } from './migrations/0029_domain_expiry.ts';
import { tenants } from './migrations/0030_tenants.ts';
import { sessionMachine } from './migrations/0032_session_machine.ts';
import { machines } from './migrations/0033_machines.ts';
import { customerFlags } from './migrations/0034_customer_flags.ts';
import { credentialPassword } from './migrations/0035_credential_password.ts';
import { keyFragments } from './migrations/0038_key_fragments.ts';
import { integratorHistory } from './migrations/0040_integrator_history.ts';
import { policyFailures } from './migrations/0041_policy_failures.ts';
import { credentialDue } from './migrations/0042_credential_due.ts';
import { policyLastEvent } from './migrations/0043_policy_last_event.ts';
import { sessionRole } from './migrations/0044_session_role.ts';
import { team } from './migrations/0045_team.ts';
import { passkeys } from './migrations/0046_passkeys.ts';
import { sessionClient } from './migrations/0047_session_client.ts';
import { identityProvider } from './migrations/0048_identity_provider.ts';
import { attribution } from './migrations/0049_attribution.ts';
import { apiTokens } from './migrations/0050_api_tokens.ts';
import { notices } from './migrations/0051_notices.ts';
import { userUsage } from './migrations/0052_user_usage.ts';
import { deviceRequests } from './migrations/0053_device_requests.ts';
import { signInMethods } from './migrations/0055_sign_in_methods.ts';
import { accountFailures } from './migrations/0057_account_failures.ts';
import { chartHours } from './migrations/0060_chart_hours.ts';
import { auditLog } from './migrations/0066_audit_log.ts';
import { callChunk } from './migrations/0067_call_chunk.ts';
import { actorSession } from './migrations/0072_actor_session.ts';
import { historyOfCredentials } from './migrations/0073_history_of_credentials.ts';
import { callBreakdown } from './migrations/0074_call_breakdown.ts';
import { audit } from './migrations/0078_audit.ts';
import { usageHours } from './migrations/0081_usage_hours.ts';
import { annotations } from './migrations/0084_annotations.ts';
import { alerts } from './migrations/0085_alerts.ts';
import { tokenRevoker } from './migrations/0086_token_revoker.ts';
import { seats } from './migrations/0087_seats.ts';
import { licenseTerm } from './migrations/0088_license_term.ts';
import { announcements } from './migrations/0089_announcements.ts';
import { plans } from './migrations/0090_plans.ts';
import { customerRecords } from './migrations/0091_customer_records.ts';
import { historyLookUps } from './migrations/0092_history_look_ups.ts';
import { signingKeys } from './migrations/0093_signing_keys.ts';
import { entitlements } from './migrations/0094_entitlements.ts';
import { machineLimit } from './migrations/0095_machine_limit.ts';
import { callQuotas } from './migrations/0096_call_quotas.ts';
import { seatUtilization } from './migrations/0103_seat_utilization.ts';
import { idleRelease } from './migrations/0104_idle_release.ts';
import { customersByPlan } from './migrations/0106_customers_by_plan.ts';
import { voids } from './migrations/0108_voids.ts';
import { notIncluded } from './migrations/0109_not_included.ts';
import { floatingSeats } from './migrations/0113_floating_seats.ts';
import { movedCustomers } from './migrations/0114_moved_customers.ts';
import { customerLists } from './migrations/0119_customer_lists.ts';
import { seatsHeldOffline } from './migrations/0120_seats_held_offline.ts';
import { longBreakdowns } from './migrations/0129_long_breakdowns.ts';
import { outcomesOfBreakdowns } from './migrations/0140_outcomes_of_breakdowns.ts';
import { failedCallsOfBreakdowns } from './migrations/0141_failed_calls_of_breakdowns.ts';
import { moreAnnotations } from './migrations/0142_more_annotations.ts';
import { quotasOfVoids } from './migrations/0150_quotas_of_voids.ts';
import { firingAlerts } from './migrations/0170_firing_alerts.ts';
import { ordersOfLists } from './migrations/0180_orders_of_lists.ts';
import { connectedUsers } from './migrations/0200_connected_users.ts';
import { mergedBreakdowns } from './migrations/0210_merged_breakdowns.ts';
import { seatsOfAlerts } from './migrations/0240_seats_of_alerts.ts';
import { lastNoticesOfQuotas } from './migrations/0250_last_notices_of_quotas.ts';
import { countedSearches } from './migrations/0260_counted_searches.ts';
import { monthsOfVoids } from './migrations/0270_months_of_voids.ts';
import { usageOfIntegrators } from './migrations/0280_usage_of_integrators.ts';

/** Names sort by number: each is applied once, in that order, and never changed after a release. */
const migrations: Record<string, Migration> = {
  '0001_vault': vault,
  '0002_policy': policy,
  '0010_read': read,
  '0011_usage': usage,
  '0012_ops': ops,
  '0015_auth': auth,
  '0016_http': http,
  '0017_admin_key': adminKey,
  '0018_domain_claims': domainClaims,
  '0020_live': live,
  '0021_list_indexes': listIndexes,
  '0022_credential_reason': credentialReason,
  '0023_given_admin_key': givenAdminKey,
  '0024_lag_minutes': lagMinutes,
  '0025_sign_in_permits': signInPermits,
  '0026_sign_ins': signIns,
  '0028_reply_owner': replyOwner,
  '0029_domain_expiry': domainExpiry,
  '0030_tenants': tenants,
  '0032_session_machine': sessionMachine,
  '0033_machines': machines,
  '0034_customer_flags': customerFlags,
  '0035_credential_password': credentialPassword,
  '0038_key_fragments': keyFragments,
  '0040_integrator_history': integratorHistory,
  '0041_policy_failures': policyFailures,
  '0042_credential_due': credentialDue,
  '0043_policy_last_event': policyLastEvent,
  '0044_session_role': sessionRole,
  '0045_team': team,
  '0046_passkeys': passkeys,
  '0047_session_client': sessionClient,
  '0048_identity_provider': identityProvider,
  '0049_attribution': attribution,
  '0050_api_tokens': apiTokens,
  '0051_notices': notices,
  '0052_user_usage': userUsage,
  '0053_device_requests': deviceRequests,
  '0055_sign_in_methods': signInMethods,
  '0057_account_failures': accountFailures,
  '0060_chart_hours': chartHours,
  '0066_audit_log': auditLog,
  '0067_call_chunk': callChunk,
  '0072_actor_session': actorSession,
  '0073_history_of_credentials': historyOfCredentials,
  '0074_call_breakdown': callBreakdown,
  '0078_audit': audit,
  '0081_usage_hours': usageHours,
  '0084_annotations': annotations,
  '0085_alerts': alerts,
  '0086_token_revoker': tokenRevoker,
  '0087_seats': seats,
  '0088_license_term': licenseTerm,
  '0089_announcements': announcements,
  '0090_plans': plans,
  '0091_customer_records': customerRecords,
  '0092_history_look_ups': historyLookUps,
  '0093_signing_keys': signingKeys,
  '0094_entitlements': entitlements,
  '0095_machine_limit': machineLimit,
  '0096_call_quotas': callQuotas,
  '0103_seat_utilization': seatUtilization,
  '0104_idle_release': idleRelease,
  '0106_customers_by_plan': customersByPlan,
  '0108_voids': voids,
  '0109_not_included': notIncluded,
  '0113_floating_seats': floatingSeats,
  '0114_moved_customers': movedCustomers,
  '0119_customer_lists': customerLists,
  '0120_seats_held_offline': seatsHeldOffline,
  '0129_long_breakdowns': longBreakdowns,
  '0140_outcomes_of_breakdowns': outcomesOfBreakdowns,
  '0141_failed_calls_of_breakdowns': failedCallsOfBreakdowns,
  '0142_more_annotations': moreAnnotations,
  '0150_quotas_of_voids': quotasOfVoids,
  '0170_firing_alerts': firingAlerts,
  '0180_orders_of_lists': ordersOfLists,
  '0200_connected_users': connectedUsers,
  '0210_merged_breakdowns': mergedBreakdowns,
  '0240_seats_of_alerts': seatsOfAlerts,
  '0250_last_notices_of_quotas': lastNoticesOfQuotas,
  '0260_counted_searches': countedSearches,
  '0270_months_of_voids': monthsOfVoids,
  '0280_usage_of_integrators': usageOfIntegrators,
};

/** The names of the applied migrations; null if their table does not exist. */
const appliedIn = async (db: Database): Promise<Set<string> | null> => {
  const table = await sql<{ name: string | null }>`select to_regclass('migration.kysely_migration')::text as name`.execute(db);
  if (!table.rows[0]?.name) return null;
  const { rows } = await sql<{ name: string }>`select name from migration.kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
};

const isUpToDate = async (db: Database): Promise<boolean> => {
  const names = Object.keys(migrations);
  const applied = await appliedIn(db);
  return applied?.size === names.length && names.every((name) => applied.has(name));
};

/**
 * Applies all pending migrations, or those up to `upTo`. Any number of nodes may call it concurrently: one applies, the others wait.
 * Throws if a migration fails; its changes are rolled back.
 */
export const migrate = async (db: Database, { upTo }: { upTo?: string } = {}): Promise<void> => {
  // Most starts have nothing to apply, and the migrator reads the whole catalog of tables.
  if (upTo === undefined && (await isUpToDate(db))) return;
  await sql`create schema if not exists migration`.execute(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: 'migration',
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
};

/** `migrate` on a connection without a statement limit: altering a table, or waiting for another node, may take long. */
export const migrateAt = async (url: string, { onError }: { onError: (error: Error) => void }): Promise<void> => {
  const { db } = connectDatabase(url, { max: 1, application: 'latchkey-migrate', statementMs: 0, onError });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
};

/** Migrations that are not applied yet. */
export const pendingMigrations = async (url: string): Promise<string[]> => {
  const { db } = connectDatabase(url, { max: 1, application: 'latchkey-migrate', onError: () => undefined });
  try {
    const applied = await appliedIn(db);
    return Object.keys(migrations).filter((name) => !applied?.has(name));
  } finally {
    await db.destroy();
  }
};
