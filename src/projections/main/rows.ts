import { room, type Topic, topic } from '../../contracts/topics.ts';
import { type AlertRow, type AlertRuleRow, alertRuleTable, alertTable } from '../../database/tables/alerts.ts';
import { type ApiTokenRow, apiTokenTable } from '../../database/tables/apiTokens.ts';
import { type CredentialRow, credentialTable } from '../../database/tables/credentials.ts';
import { type CustomerRow, customerTable } from '../../database/tables/customers.ts';
import { type HistoryRow, historyTable, type ThemeSpanRow, themeSpanTable } from '../../database/tables/history.ts';
import { type IntegratorRow, integratorTable } from '../../database/tables/integrators.ts';
import { type PlanRow, planTable } from '../../database/tables/plans.ts';
import { type SeatCountRow, type SeatQuarterRow, seatCountTable, seatQuarterTable } from '../../database/tables/seats.ts';
import { type SignInRow, signInTable } from '../../database/tables/signIns.ts';
import { type StatDayRow, statDayTable, type TallyRow, tallyTable } from '../../database/tables/stats.ts';
import { type MemberRow, memberTable, type NoticeRow, noticeTable, type TeamRow, teamTable } from '../../database/tables/team.ts';
import { type CatalogueRow, catalogueTable, type ThemeRow, themeTable } from '../../database/tables/themes.ts';
import { type MachineRow, machineTable, type UserRow, userTable } from '../../database/tables/users.ts';
import { ERASED } from '../../domain/event.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { dayAfter, dayOf } from '../../domain/time.ts';
import { type Adder, type Merging, openAdder } from '../engine/adder.ts';
import { addChange, type ChangeSet, EVERYTHING_CHANGED } from '../engine/changes.ts';
import type { BatchRows } from '../engine/projection.ts';
import { openRowBuffer, type RowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { int4ArrayOf, keyFragmentsOf } from '../lists/keyFragments.ts';
import { themeDisplayName } from './themeLook.ts';

/** What the read models depend on besides events. */
export type MainSettings = Readonly<{
  /** HMAC of a license key with the look-up pepper. */
  digest: (licenseKey: string) => Buffer;
  /** Whole UTC days for which sign-ins are kept. */
  signInRetentionDays: number;
}>;

/** The rows of the main group that a batch touches, and the changes for the live feed. */
export type MainRows = BatchRows &
  Readonly<{
    customers: RowBuffer<CustomerRow>;
    integrators: RowBuffer<IntegratorRow>;
    users: RowBuffer<UserRow>;
    machines: RowBuffer<MachineRow>;
    catalogues: RowBuffer<CatalogueRow>;
    themes: RowBuffer<ThemeRow>;
    credentials: RowBuffer<CredentialRow>;
    history: RowBuffer<HistoryRow>;
    themeSpans: RowBuffer<ThemeSpanRow>;
    signIns: RowBuffer<SignInRow>;
    members: RowBuffer<MemberRow>;
    teams: RowBuffer<TeamRow>;
    apiTokens: RowBuffer<ApiTokenRow>;
    notices: RowBuffer<NoticeRow>;
    alertRules: RowBuffer<AlertRuleRow>;
    alerts: RowBuffer<AlertRow>;
    plans: RowBuffer<PlanRow>;
    seatCounts: RowBuffer<SeatCountRow>;
    seatQuarters: RowBuffer<SeatQuarterRow>;
    /** Drops the sign-ins of days that are no longer kept on the day of `at`, and notices of the key's, whatever of them is in memory. */
    forgetOldSignIns: (at: string) => void;
    tally: Adder<TallyRow>;
    statDays: Adder<StatDayRow>;
    /** The HMAC of a license key; null of an erased one. */
    digestOf: (licenseKey: string) => Buffer | null;
    /** Hashes of a license key's parts, as a row holds them; see `keyFragmentsOf`. */
    fragmentsOf: (licenseKey: string) => string;
    /** The display name of a theme, built-in or custom. */
    themeLabel: (theme: string) => string;
    touch: (topic: Topic, rooms: readonly string[]) => void;
    /** Notifies all customers with the theme that it changed. */
    touchTheme: (themeId: string) => void;
  }>;

const statDayMerging: Merging<StatDayRow> = {
  registered: 'sum',
  customers: 'sum',
  active: 'sum',
  integrators_registered: 'sum',
  integrators: 'sum',
};

/** Beyond this many customers all browsers are notified of a theme's change. */
const MAX_THEME_CUSTOMERS = 200;

/** Opens the rows of a batch on a schema. */
export const openMainRows =
  ({ digest: hmac, signInRetentionDays }: MainSettings) =>
  (session: DatabaseSession, schema: string): MainRows => {
    const buffers = {
      customers: openRowBuffer<CustomerRow>(customerTable, session, schema),
      integrators: openRowBuffer<IntegratorRow>(integratorTable, session, schema),
      users: openRowBuffer<UserRow>(userTable, session, schema),
      machines: openRowBuffer<MachineRow>(machineTable, session, schema),
      catalogues: openRowBuffer<CatalogueRow>(catalogueTable, session, schema),
      themes: openRowBuffer<ThemeRow>(themeTable, session, schema),
      credentials: openRowBuffer<CredentialRow>(credentialTable, session, schema),
      history: openRowBuffer<HistoryRow>(historyTable, session, schema),
      themeSpans: openRowBuffer<ThemeSpanRow>(themeSpanTable, session, schema),
      signIns: openRowBuffer<SignInRow>(signInTable, session, schema),
      members: openRowBuffer<MemberRow>(memberTable, session, schema),
      teams: openRowBuffer<TeamRow>(teamTable, session, schema),
      apiTokens: openRowBuffer<ApiTokenRow>(apiTokenTable, session, schema),
      notices: openRowBuffer<NoticeRow>(noticeTable, session, schema),
      alertRules: openRowBuffer<AlertRuleRow>(alertRuleTable, session, schema),
      alerts: openRowBuffer<AlertRow>(alertTable, session, schema),
      plans: openRowBuffer<PlanRow>(planTable, session, schema),
      seatCounts: openRowBuffer<SeatCountRow>(seatCountTable, session, schema),
      seatQuarters: openRowBuffer<SeatQuarterRow>(seatQuarterTable, session, schema),
    };
    const adders = {
      tally: openAdder<TallyRow>(tallyTable, { n: 'sum' }, session, schema),
      statDays: openAdder<StatDayRow>(statDayTable, statDayMerging, session, schema),
    };
    const changes: ChangeSet = new Map();
    const touchedThemes = new Set<string>();
    let signInsFrom: string | undefined;

    const notifyOwners = async (): Promise<void> => {
      const owners = await session.query<{ customer_id: CustomerId }>(
        `select customer_id from ${schema}.customer where theme = any($1::text[]) limit ${MAX_THEME_CUSTOMERS + 1}`,
        [[...touchedThemes]],
      );
      if (owners.length > MAX_THEME_CUSTOMERS) addChange(changes, EVERYTHING_CHANGED);
      for (const { customer_id: id } of owners) addChange(changes, { topic: topic.customer(id), rooms: [room.customer(id)] });
    };

    return {
      ...buffers,
      ...adders,
      digestOf: (licenseKey) => (licenseKey === ERASED ? null : hmac(licenseKey)),
      fragmentsOf: (licenseKey) => int4ArrayOf(keyFragmentsOf(hmac, licenseKey)),
      themeLabel: (theme) => buffers.themes.get(theme)?.display_name ?? themeDisplayName(theme),
      touch: (changed, rooms) => addChange(changes, { topic: changed, rooms }),
      touchTheme: (themeId) => void touchedThemes.add(themeId),
      // Whole days, as the event store keeps them: a rebuild with another setting then finds the same.
      forgetOldSignIns: (at) => {
        const from = dayAfter(dayOf(at), -signInRetentionDays);
        if (signInsFrom === undefined || from > signInsFrom) signInsFrom = from;
      },
      load: async () => {
        const { credentials, ...others } = buffers;
        const [found] = await Promise.all([credentials.load(), ...Object.values(others).map((buffer) => buffer.load())]);
        // The events of a credential after the first do not name its customer.
        for (const { customer_id: customerId } of found) buffers.customers.preload(customerId);
        await buffers.customers.load();
      },
      ahead: buffers.history.ahead,
      finish: async () => {
        if (touchedThemes.size > 0) await notifyOwners();
        const writes = [...Object.values(buffers), ...Object.values(adders)].flatMap((table) => table.writes());
        if (signInsFrom === undefined) return writes;
        const values = [`${signInsFrom}T00:00:00Z`];
        return [
          ...writes,
          { text: `delete from ${schema}.sign_in where at < $1::timestamptz`, values },
          { text: `delete from ${schema}.notice where at < $1::timestamptz and kind = 'break_glass'`, values },
        ];
      },
      changes: () => changes,
    };
  };
