import type { Command } from 'commander';
import { entitlementLine } from '../../contracts/entitlementLines.ts';
import type { LicenseEntitlements } from '../../contracts/entitlements.ts';
import { isEntitled } from '../../domain/license/entitlements.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Failure, misused } from '../failure.ts';
import { noteValidity, verifyStored } from '../license/stored.ts';
import { addHelp } from '../terminal/help.ts';
import { plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { loadSession } from './loadSession.ts';
import { licenseRefusal } from './term.ts';

/** Reports whether a license with these entitlements includes a feature now. `refusal` is why it does not work at all. */
const report = (
  { output, io }: Context,
  feature: string,
  { entitlements, refusal }: Readonly<{ entitlements: LicenseEntitlements | null; refusal: Failure | null }>,
): ExitCode => {
  const isIncluded = refusal === null && isEntitled(entitlements, feature, new Date(io.now()).toISOString());
  const entry = entitlements?.find(({ code }) => code === feature);
  const dates = entry && { startsAt: entry.startsAt, endsAt: entry.endsAt };
  output.result({ feature, entitled: isIncluded, ...dates }, () => {
    if (isIncluded) return [`Your license includes ${plain(entry ? entitlementLine(entry) : feature)}.`];
    if (refusal !== null) return [`Your license does not include ${plain(feature)} now: it has expired.`];
    const now = entry ? ` now: ${plain(entitlementLine(entry))}` : '';
    return [`Your license does not include ${plain(feature)}${now}. Ask the person who manages it.`];
  });
  return isIncluded ? EXIT.done : EXIT.notEntitled;
};

const entitled = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, io } = context;
  const feature = (command.args[0] ?? '').trim().toLowerCase();
  if (feature === '') return output.fail(misused('Name a service or a feature, such as jira.'));
  const known = await loadSession(context);
  const failure = known.ok ? known.value.failure : known.failure;
  // A machine that never has a connection has no sign-in, only a license.
  const isWithoutServer = !known.ok || failure?.exit === EXIT.unreachable;
  const offline = isWithoutServer ? await verifyStored(context) : null;
  if (offline?.ok) {
    const exit = report(context, feature, { entitlements: offline.value.license.entitlements ?? null, refusal: null });
    noteValidity(context, offline.value);
    return exit;
  }
  // The last known state is no proof beside a license that is not valid.
  if (offline !== null) {
    if (failure !== null) output.warn(failure);
    return output.fail(offline.failure);
  }
  if (!known.ok) return output.fail(known.failure);
  const { entitlements = null, term } = known.value.profile;
  const refusal = licenseRefusal(term, failure === null ? null : io.now());
  const exit = report(context, feature, { entitlements, refusal });
  const reason = failure ?? refusal;
  return reason === null ? exit : output.warn(reason);
};

/** Declares `latchkey entitled`: whether the license includes a service or a feature, as an exit code for scripts. */
export const declareEntitled = (program: Command, bind: Bind): void => {
  const entitledCommand = program
    .command('entitled <feature>')
    .helpGroup(GROUPS.work)
    .summary('check whether the license includes a feature')
    .description('Check whether the license includes a service (jira, azdo, confluence) or a feature now.')
    .action(bind(entitled));
  addHelp(entitledCommand, {
    examples: [
      ['latchkey entitled reports', 'exits with 0 if the license includes reports, else with 10'],
      ['latchkey entitled jira --json', 'as JSON: feature, entitled, and startsAt and endsAt if the license names it'],
    ],
    exits: {
      done: 'included',
      failed: 'failed',
      notSignedIn: 'not signed in, and no offline license; shows the last known state, if any',
      refused: 'refused: suspended or expired, or your role has no access; shows the last known state',
      unreachable: 'server unreachable, and no offline license; shows the last known state',
      notEntitled: 'not included, not yet, or not any more',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};
