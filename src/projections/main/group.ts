import type { AnyEvent } from '../../domain/events.ts';
import { credentials } from '../credentials/projection.ts';
import { customers } from '../customers/projection.ts';
import type { Fact } from '../engine/fact.ts';
import type { Group } from '../engine/projection.ts';
import { history } from '../history/projection.ts';
import { integrators } from '../integrators/projection.ts';
import { machines } from '../machines/projection.ts';
import { signIns } from '../signIns/projection.ts';
import { isCustomTheme } from '../themes/look.ts';
import { themes } from '../themes/projection.ts';
import { users } from '../users/projection.ts';
import { feed } from './feed.ts';
import { type MainRows, openMainRows } from './rows.ts';

const wantDeleted = (customerId: string, rows: MainRows): void => {
  rows.users.wantBy('customer_id', customerId);
  rows.machines.wantBy('customer_id', customerId);
  rows.credentials.wantBy('customer_id', customerId);
  rows.history.wantBy('customer_id', customerId);
  rows.themeSpans.wantBy('customer_id', customerId);
  rows.signIns.wantBy('customer_id', customerId);
};

const wantTheme = (customerId: string, theme: string | null, rows: MainRows): void => {
  rows.themeSpans.wantBy('customer_id', customerId);
  if (theme !== null && isCustomTheme(theme)) rows.themes.want(theme);
};

/** Of these all machines of the user are looked at. */
const ABOUT_MACHINES: ReadonlySet<string> = new Set([
  'UserMachineChanged',
  'MachineApprovalRequested',
  'MachineApproved',
  'MachineRejected',
  'MachineRemoved',
]);

const wantByData = ({ type, data }: AnyEvent, subject: string, rows: MainRows): void => {
  if ('customerId' in data && data.customerId !== null) rows.customers.want(data.customerId);
  if ('userId' in data && data.userId !== null) rows.users.want(data.userId);
  if ('themeId' in data) rows.themes.want(data.themeId);
  if (ABOUT_MACHINES.has(type) && 'userId' in data && data.userId !== null) rows.machines.wantBy('user_id', data.userId);
  if (type === 'CustomerDeleted') wantDeleted(subject, rows);
  if (type === 'ThemeAssigned') wantTheme(subject, data.theme, rows);
  if (type === 'ThemeUnassigned') wantTheme(subject, null, rows);
  if (type === 'IntegratorDeleted') {
    rows.themes.wantBy('integrator_id', subject);
    rows.history.wantBy('integrator_id', subject);
    rows.signIns.wantBy('integrator_id', subject);
  }
};

const want = ({ category, subject, event }: Fact, rows: MainRows): void => {
  switch (category) {
    case 'customer':
      rows.customers.want(subject);
      break;
    case 'integrator':
      rows.integrators.want(subject);
      rows.catalogues.want(subject);
      break;
    case 'themes':
      rows.catalogues.want(subject);
      break;
    case 'credential':
      rows.credentials.want(subject);
      break;
    case 'userActivity':
    case 'signIns':
      if (event.type === 'SignInsRecorded' && event.data.integratorId !== null) rows.integrators.want(event.data.integratorId);
      break;
    case 'adminActivity':
    case 'apiCalls':
      break;
  }
  wantByData(event, subject, rows);
};

/** The read models that commands wait for: all but those of API calls. `hmac` digests license keys with the look-up pepper. */
export const mainGroup = (hmac: (licenseKey: string) => Buffer): Group<MainRows> => ({
  name: 'main',
  schema: 'read',
  categories: ['customer', 'integrator', 'themes', 'credential', 'userActivity', 'adminActivity', 'signIns'],
  lingerMs: 0,
  awaited: true,
  announceEveryMs: 10, // each commit tells the position anyway
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
  ]),
  transient: [],
  projections: [feed, history, customers, integrators, users, machines, themes, credentials, signIns],
  open: openMainRows(hmac),
  want,
});
