import type { AnyEvent } from '../domain/events.ts';
import type { TeamId } from '../domain/ids.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import { alerts } from './alerts/projection.ts';
import { credentials } from './credentials/projection.ts';
import { customers } from './customers/projection.ts';
import type { GroupDefinition } from './engine/projection.ts';
import type { RecordedEvent } from './engine/recordedEvent.ts';
import { history } from './history/projection.ts';
import { integrators } from './integrators/projection.ts';
import { machines } from './machines/projection.ts';
import { feed } from './main/feed.ts';
import { type MainRows, type MainSettings, openMainRows } from './main/rows.ts';
import { isCustomTheme } from './main/themeLook.ts';
import { plans } from './plans/projection.ts';
import { seatKindsOf, seats } from './seats/projection.ts';
import { signIns } from './signIns/projection.ts';
import { team } from './team/projection.ts';
import { themes } from './themes/projection.ts';
import { users } from './users/projection.ts';

export type { MainSettings };

const preloadDeleted = (customerId: string, rows: MainRows): void => {
  rows.users.preloadBy('customer_id', customerId);
  rows.machines.preloadBy('customer_id', customerId);
  rows.credentials.preloadBy('customer_id', customerId);
  rows.history.preloadBy('customer_id', customerId);
  rows.themeSpans.preloadBy('customer_id', customerId);
  rows.signIns.preloadBy('customer_id', customerId);
  rows.members.preloadBy('customer_id', customerId);
  rows.teams.preloadBy('customer_id', customerId);
  rows.apiTokens.preloadBy('customer_id', customerId);
  rows.notices.preloadBy('customer_id', customerId);
  rows.seatCounts.preloadBy('customer_id', customerId);
  rows.seatQuarters.preloadBy('customer_id', customerId);
};

const preloadMoved = (customerId: string, rows: MainRows): void => {
  rows.users.preloadBy('customer_id', customerId);
  rows.machines.preloadBy('customer_id', customerId);
  rows.signIns.preloadBy('customer_id', customerId);
  rows.members.preloadBy('customer_id', customerId);
  rows.teams.preloadBy('customer_id', customerId);
  rows.apiTokens.preloadBy('customer_id', customerId);
  rows.notices.preloadBy('customer_id', customerId);
};

const preloadTheme = (customerId: string, theme: string | null, rows: MainRows): void => {
  rows.themeSpans.preloadBy('customer_id', customerId);
  if (theme !== null && isCustomTheme(theme)) rows.themes.preload(theme);
};

/** For these events all machines of the user are preloaded. */
const ABOUT_MACHINES: ReadonlySet<string> = new Set([
  'UserMachineChanged',
  'MachineApprovalRequested',
  'MachineApproved',
  'MachineRejected',
  'MachineRenamed',
  'MachineRemoved',
  'UserRemoved',
]);

const preloadByData = ({ type, data }: AnyEvent, subject: string, rows: MainRows): void => {
  if ('customerId' in data && data.customerId !== null) rows.customers.preload(data.customerId);
  if ('userId' in data && data.userId !== null) rows.users.preload(data.userId);
  if ('themeId' in data) rows.themes.preload(data.themeId);
  if (ABOUT_MACHINES.has(type) && 'userId' in data && data.userId !== null) rows.machines.preloadBy('user_id', data.userId);
  if (type === 'UserRemoved') {
    rows.history.preloadBy('user_id', data.userId);
    rows.signIns.preloadBy('user_id', data.userId);
  }
  if (type === 'CustomerDeleted') preloadDeleted(subject, rows);
  if (type === 'CustomerMoved') preloadMoved(subject, rows);
  if (type === 'ThemeAssigned') preloadTheme(subject, data.theme, rows);
  if (type === 'ThemeUnassigned') preloadTheme(subject, null, rows);
  if (type === 'IntegratorDeleted') {
    rows.themes.preloadBy('integrator_id', subject);
    rows.history.preloadBy('integrator_id', subject);
    rows.signIns.preloadBy('integrator_id', subject);
    rows.members.preloadBy('integrator_id', subject);
    rows.teams.preloadBy('integrator_id', subject);
    rows.apiTokens.preloadBy('integrator_id', subject);
    rows.notices.preloadBy('integrator_id', subject);
  }
};

const preloadTeam = (teamId: TeamId, { type, data }: AnyEvent, rows: MainRows): void => {
  const tenant = tenantOfTeam(teamId);
  if (tenant.kind === 'integrator') rows.integrators.preload(tenant.integratorId);
  if (tenant.kind === 'customer') rows.customers.preload(tenant.customerId);
  rows.teams.preload(teamId);
  if (type === 'IdentityProviderRemoved') rows.members.preloadBy('team_id', teamId);
  if ('tokenId' in data) rows.apiTokens.preload(data.tokenId);
  if ('noticeId' in data)
    for (const userId of 'owners' in data ? data.owners : [data.userId]) rows.notices.preload(userId, data.noticeId);
  if ('noticeIds' in data) for (const noticeId of data.noticeIds) rows.notices.preload(data.userId, noticeId);
  if ('userId' in data && data.userId !== null) {
    rows.members.preload(data.userId);
    if (type === 'MemberRemoved') {
      rows.history.preloadBy('member_id', data.userId);
      rows.notices.preloadBy('user_id', data.userId);
      rows.signIns.preloadBy('user_id', data.userId);
    }
  }
};

const preload = ({ category, subject, event }: RecordedEvent, rows: MainRows): void => {
  switch (category) {
    case 'customer':
    case 'seatLeases':
      rows.customers.preload(subject);
      for (const kind of seatKindsOf(event)) rows.seatCounts.preload(subject, kind);
      break;
    case 'integrator':
      rows.integrators.preload(subject);
      rows.catalogues.preload(subject);
      break;
    case 'themes':
      rows.catalogues.preload(subject);
      break;
    case 'credential':
      rows.credentials.preload(subject);
      break;
    case 'userActivity':
    case 'signIns':
      if (event.type === 'SignInsRecorded') {
        if (event.data.integratorId !== null) rows.integrators.preload(event.data.integratorId);
        if (event.data.userId !== null) rows.members.preload(event.data.userId);
      }
      break;
    case 'team':
      preloadTeam(subject as TeamId, event, rows);
      break;
    case 'adminActivity':
    case 'operations':
      if ('ruleId' in event.data) rows.alertRules.preload(event.data.ruleId);
      if ('alertId' in event.data) rows.alerts.preload(event.data.alertId);
      break;
    case 'plans':
      if ('code' in event.data) rows.plans.preload(event.data.code);
      break;
    case 'apiCalls':
    case 'seatDenials':
      break;
  }
  preloadByData(event, subject, rows);
};

/** The read models that commands wait for: all but those of API calls. */
export const mainGroup = (settings: MainSettings): GroupDefinition<MainRows> => ({
  name: 'main',
  schema: 'read',
  categories: [
    'customer',
    'integrator',
    'themes',
    'credential',
    'userActivity',
    'adminActivity',
    'seatDenials',
    'seatLeases',
    'signIns',
    'team',
    'operations',
    'plans',
  ],
  lingerMs: 0,
  awaited: true,
  announceEveryMs: 10, // each commit announces the position anyway
  slowTopics: new Set(),
  weigh: () => 1,
  buildBatch: 8_000,
  lookUpIndexes: new Set([
    'user_of_customer',
    'machine_of_customer',
    'credential_of_customer',
    'history_of_customer',
    'history_of_integrator',
    'theme_of_integrator',
    'sign_in_of_customer',
    'sign_in_of_integrator',
    'sign_in_of_user',
    'member_of_customer',
    'member_of_team',
    'member_of_integrator',
    'team_of_customer',
    'team_of_integrator',
    'api_token_of_customer',
    'api_token_of_integrator',
    'notice_of_customer',
    'notice_of_integrator',
    'history_of_member',
    'history_of_user',
  ]),
  sparseIndexes: new Set([
    'history_annotation',
    'history_of_administration',
    'history_of_credential',
    'history_of_integrator',
    'history_of_member',
    'history_of_theme',
    'history_revert',
  ]),
  transient: [],
  projections: [feed, history, customers, integrators, users, machines, themes, credentials, signIns, team, alerts, plans, seats],
  open: openMainRows(settings),
  preload,
});
