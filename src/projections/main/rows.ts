import { room, type Topic, topic } from '../../contracts/topics.ts';
import { type CredentialRow, credentialTable } from '../../database/tables/credentials.ts';
import { type CustomerRow, customerTable } from '../../database/tables/customers.ts';
import { type HistoryRow, historyTable, type ThemeSpanRow, themeSpanTable } from '../../database/tables/history.ts';
import { type IntegratorRow, integratorTable } from '../../database/tables/integrators.ts';
import { type SignInRow, signInTable } from '../../database/tables/signIns.ts';
import { type StatDayRow, statDayTable, type TallyRow, tallyTable } from '../../database/tables/stats.ts';
import { type CatalogueRow, catalogueTable, type ThemeRow, themeTable } from '../../database/tables/themes.ts';
import { type MachineRow, machineTable, type UserRow, userTable } from '../../database/tables/users.ts';
import { ERASED } from '../../domain/event.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { type Adder, type Merging, openAdder } from '../engine/adder.ts';
import { addChange, type ChangeSet, EVERYTHING_CHANGED } from '../engine/changes.ts';
import type { Workspace } from '../engine/projection.ts';
import type { Session } from '../engine/session.ts';
import { openSheet, type Sheet } from '../engine/sheet.ts';
import { int4ArrayOf, keyFragmentsOf } from '../lists/keyFragments.ts';
import { themeDisplayName } from '../themes/look.ts';

/** The rows of the main group that a batch touches, and what the live feed is told of it. */
export type MainRows = Workspace &
  Readonly<{
    customers: Sheet<CustomerRow>;
    integrators: Sheet<IntegratorRow>;
    users: Sheet<UserRow>;
    machines: Sheet<MachineRow>;
    catalogues: Sheet<CatalogueRow>;
    themes: Sheet<ThemeRow>;
    credentials: Sheet<CredentialRow>;
    history: Sheet<HistoryRow>;
    themeSpans: Sheet<ThemeSpanRow>;
    signIns: Sheet<SignInRow>;
    /** Drops the sign-ins before a time, whatever of them is in memory. */
    forgetSignInsBefore: (at: string) => void;
    tally: Adder<TallyRow>;
    statDays: Adder<StatDayRow>;
    /** The HMAC of a license key; null of an erased one. */
    digestOf: (licenseKey: string) => Buffer | null;
    /** Hashes of a license key's parts, as a row holds them; see `keyFragmentsOf`. */
    fragmentsOf: (licenseKey: string) => string;
    /** What people call a theme, built-in or custom. */
    themeLabel: (theme: string) => string;
    touch: (topic: Topic, rooms: readonly string[]) => void;
    /** Everybody who has the theme is told that it changed. */
    touchTheme: (themeId: string) => void;
  }>;

const statDayMerging: Merging<StatDayRow> = {
  registered: 'sum',
  customers: 'sum',
  active: 'sum',
  integrators_registered: 'sum',
  integrators: 'sum',
};

/** Beyond this many customers everybody is told of a theme's change. */
const MAX_THEME_CUSTOMERS = 200;

/** Opens a batch's workspace on a schema. `hmac` digests license keys with the look-up pepper. */
export const openMainRows =
  (hmac: (licenseKey: string) => Buffer) =>
  (session: Session, schema: string): MainRows => {
    const sheets = {
      customers: openSheet<CustomerRow>(customerTable, session, schema),
      integrators: openSheet<IntegratorRow>(integratorTable, session, schema),
      users: openSheet<UserRow>(userTable, session, schema),
      machines: openSheet<MachineRow>(machineTable, session, schema),
      catalogues: openSheet<CatalogueRow>(catalogueTable, session, schema),
      themes: openSheet<ThemeRow>(themeTable, session, schema),
      credentials: openSheet<CredentialRow>(credentialTable, session, schema),
      history: openSheet<HistoryRow>(historyTable, session, schema),
      themeSpans: openSheet<ThemeSpanRow>(themeSpanTable, session, schema),
      signIns: openSheet<SignInRow>(signInTable, session, schema),
    };
    const adders = {
      tally: openAdder<TallyRow>(tallyTable, { n: 'sum' }, session, schema),
      statDays: openAdder<StatDayRow>(statDayTable, statDayMerging, session, schema),
    };
    const changes: ChangeSet = new Map();
    const touchedThemes = new Set<string>();
    let signInsFrom: string | undefined;

    const tellOwners = async (): Promise<void> => {
      const owners = await session.query<{ customer_id: CustomerId }>(
        `select customer_id from ${schema}.customer where theme = any($1::text[]) limit ${MAX_THEME_CUSTOMERS + 1}`,
        [[...touchedThemes]],
      );
      if (owners.length > MAX_THEME_CUSTOMERS) addChange(changes, EVERYTHING_CHANGED);
      for (const { customer_id: id } of owners) addChange(changes, { topic: topic.customer(id), rooms: [room.customer(id)] });
    };

    return {
      ...sheets,
      ...adders,
      digestOf: (licenseKey) => (licenseKey === ERASED ? null : hmac(licenseKey)),
      fragmentsOf: (licenseKey) => int4ArrayOf(keyFragmentsOf(hmac, licenseKey)),
      themeLabel: (theme) => sheets.themes.get(theme)?.display_name ?? themeDisplayName(theme),
      touch: (changed, rooms) => addChange(changes, { topic: changed, rooms }),
      touchTheme: (themeId) => void touchedThemes.add(themeId),
      forgetSignInsBefore: (at) => {
        if (signInsFrom === undefined || at > signInsFrom) signInsFrom = at;
      },
      load: async () => {
        await Promise.all(Object.values(sheets).map((sheet) => sheet.load()));
      },
      ahead: sheets.history.ahead,
      finish: async () => {
        if (touchedThemes.size > 0) await tellOwners();
        const writes = [...Object.values(sheets), ...Object.values(adders)].flatMap((table) => table.writes());
        if (signInsFrom === undefined) return writes;
        return [...writes, { text: `delete from ${schema}.sign_in where at < $1::timestamptz`, values: [signInsFrom] }];
      },
      changes: () => changes,
    };
  };
