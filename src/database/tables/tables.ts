import { alertRuleTable, alertTable } from './alerts.ts';
import { apiTokenTable, apiTokenUseTable } from './apiTokens.ts';
import { auditCheckpointTable, auditLogTable, auditSigningKeyTable, auditTileTable } from './auditLog.ts';
import { callClaimTable, callQuotaMonthTable } from './callQuotas.ts';
import { callChunkTable } from './calls.ts';
import { mainCheckpointTable, mainParkedTable, usageCheckpointTable, usageParkedTable } from './checkpoints.ts';
import { openConnectionTable, seatUseTable } from './connections.ts';
import { credentialTable } from './credentials.ts';
import { customerTable } from './customers.ts';
import type { QueriedTable } from './defineTable.ts';
import { historyTable, themeSpanTable } from './history.ts';
import { idempotencyTable } from './idempotency.ts';
import { integratorTable, verifiedDomainTable } from './integrators.ts';
import { projectionLagHourTable, projectionLagMinuteTable, projectionLagTable } from './lag.ts';
import { planTable } from './plans.ts';
import { policyCheckpointTable, policyFailureTable, policyNoteTable } from './policies.ts';
import { seatCountTable, seatQuarterTable } from './seats.ts';
import {
  accountFailureTable,
  adminKeyTable,
  deviceRequestTable,
  givenAdminKeyTable,
  memberPlaceTable,
  oneTimePasswordTable,
  passkeyChallengeTable,
  passkeyUseTable,
  sessionTable,
  signInFailureTable,
  signInPermitTable,
  wrongCodeTable,
} from './sessions.ts';
import { signInTable } from './signIns.ts';
import { signingKeyTable } from './signingKeys.ts';
import { statDayTable, tallyTable } from './stats.ts';
import { emailDomainTable, memberTable, noticeTable, openIdStateTable, teamTable } from './team.ts';
import { catalogueTable, themeTable } from './themes.ts';
import {
  usageCallHourTable,
  usageConnectedHourTable,
  usageConnectedMinuteTable,
  usageConnectionTable,
  usageCustomerTable,
  usageDayTable,
  usageDeletedTable,
  usageHourTable,
  usageInstanceTable,
  usageMinuteTable,
  usageNotIncludedTable,
  usageScopeDayTable,
  usageSecondTable,
  usageSourceTable,
  usageTrafficFourHoursTable,
  usageTrafficHourTable,
  usageTrafficMergedHoursTable,
  usageTrafficMinuteTable,
  usageUserCallTable,
  usageVoidTable,
} from './usage.ts';
import { machineTable, userTable } from './users.ts';
import { dataKeyTable } from './vault.ts';

/** Every table of the product. A test compares them with the migrated schema. */
export const tables = [
  dataKeyTable,
  policyCheckpointTable,
  policyNoteTable,
  policyFailureTable,
  sessionTable,
  signInFailureTable,
  signInPermitTable,
  adminKeyTable,
  givenAdminKeyTable,
  accountFailureTable,
  memberPlaceTable,
  wrongCodeTable,
  oneTimePasswordTable,
  passkeyUseTable,
  passkeyChallengeTable,
  deviceRequestTable,
  emailDomainTable,
  openIdStateTable,
  apiTokenUseTable,
  idempotencyTable,
  openConnectionTable,
  seatUseTable,
  mainCheckpointTable,
  mainParkedTable,
  customerTable,
  integratorTable,
  userTable,
  machineTable,
  catalogueTable,
  themeTable,
  credentialTable,
  historyTable,
  themeSpanTable,
  signInTable,
  tallyTable,
  statDayTable,
  memberTable,
  teamTable,
  apiTokenTable,
  noticeTable,
  alertRuleTable,
  alertTable,
  planTable,
  seatCountTable,
  seatQuarterTable,
  usageCheckpointTable,
  usageParkedTable,
  usageCustomerTable,
  usageDayTable,
  usageInstanceTable,
  usageScopeDayTable,
  usageSourceTable,
  usageVoidTable,
  usageNotIncludedTable,
  usageDeletedTable,
  usageSecondTable,
  usageMinuteTable,
  usageHourTable,
  usageTrafficMinuteTable,
  usageUserCallTable,
  usageTrafficHourTable,
  usageTrafficFourHoursTable,
  usageTrafficMergedHoursTable,
  usageCallHourTable,
  usageConnectionTable,
  usageConnectedMinuteTable,
  usageConnectedHourTable,
  callChunkTable,
  verifiedDomainTable,
  callQuotaMonthTable,
  callClaimTable,
  projectionLagTable,
  projectionLagMinuteTable,
  projectionLagHourTable,
  auditLogTable,
  auditTileTable,
  auditCheckpointTable,
  auditSigningKeyTable,
  signingKeyTable,
] as const;

/** Every table by `schema.name`, as Kysely's queries see it. */
export type Tables = { [T in (typeof tables)[number] as T['name']]: QueriedTable<T> };
