import { once } from 'node:events';
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { readConfig } from '../bootstrap/config.ts';
import { readableError } from '../bootstrap/readableError.ts';
import { retireAdminKey } from '../bootstrap/retireAdminKey.ts';
import { versionOf } from '../cli/api/version.ts';
import { EXIT, type ExitCode } from '../cli/exit.ts';
import { type Failure, failed, missing } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import { askedScript, completionCommand } from '../cli/terminal/completionCommand.ts';
import { addHelp } from '../cli/terminal/help.ts';
import { openOutput } from '../cli/terminal/output.ts';
import { openProgress } from '../cli/terminal/progress.ts';
import { counted } from '../cli/terminal/text.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { grantStoreAccess } from '../eventstore/access.ts';
import { isUuid } from '../eventstore/codecs/fields.ts';
import { GROUPS, type GroupName } from '../projections/engine/groups.ts';
import type { ProjectionGroup } from '../projections/engine/projection.ts';
import { projectionGroupsOf } from '../projections/projector.ts';
import { verifyAuditLog } from './audit.ts';
import { declareAudit } from './auditProgram.ts';
import { BackupRefused, backUp, restore } from './backup.ts';
import {
  allowKeySignIn,
  confirmEventStore,
  exportEvents,
  type Print,
  rebuildAll,
  retryAll,
  scavenge,
  verifyAll,
} from './commands.ts';
import { copyAllEvents } from './copyEvents.ts';
import { ADMIN_COMMANDS, ADMIN_PROGRAM } from './helpTexts.ts';
import { type Operator, openOperator, StoreMissing } from './operator.ts';
import { rotateMasterSecret } from './rotateMasterSecret.ts';
import { declareSigning } from './signingProgram.ts';

/** Names the audit log among the groups of read models. */
const AUDIT_LOG = 'auditLog';

const groupArgument = (): Argument => new Argument('[projection]', 'one group of read models').choices([...GROUPS]);

const chosen = (plans: Record<GroupName, ProjectionGroup>, name: GroupName | undefined): ProjectionGroup[] =>
  name === undefined ? Object.values(plans) : [plans[name]];

/** Declares all commands of `latchkey-admin`. `end` is called with the exit code. */
export const buildAdminProgram = (io: Io, end: (code: ExitCode) => void): Command => {
  const program = new Command('latchkey-admin')
    .description('Operate a Latchkey server: read models, keys, events.')
    .version(versionOf(), '--version', 'show the version')
    .option('--json', 'output JSON, one object per line')
    .option('--no-color', 'no colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'explain a command')
    .showHelpAfterError('(see latchkey-admin --help)');
  addHelp(program, ADMIN_PROGRAM);
  const config = () => readConfig(io.env);

  const outputOf = () => openOutput(io, { json: program.opts().json === true, color: program.opts().color !== false });

  const nextSecret = (): Buffer | null =>
    io.env.NEW_MASTER_SECRET === undefined ? null : readConfig({ MASTER_SECRET: io.env.NEW_MASTER_SECRET }).masterSecret;

  /** Runs `work` and ends with its exit code. It resolves to false if it has reported its failure. */
  const withOutput = async (work: (print: Print) => Promise<boolean | Failure>): Promise<void> => {
    const output = outputOf();
    const progress = openProgress(io, output);
    const print: Print = {
      step: (text) => progress.print(text),
      progress: (done, note) => progress.show(done, null, note),
      result: (value, text) => {
        progress.end();
        output.result(value, () => [text]);
      },
    };
    try {
      const worked = await work(print);
      progress.end();
      if (typeof worked === 'boolean') end(worked ? EXIT.done : EXIT.failed);
      else end(output.fail(worked));
    } catch (error) {
      progress.end();
      if (io.interrupted.aborted) end(output.fail(failed('interrupted', 'Interrupted')));
      else if (error instanceof BackupRefused) end(output.fail(failed('backup_refused', error.message)));
      else if (error instanceof StoreMissing) end(output.fail(missing('store_missing', error.message)));
      else end(output.fail(failed('failed', readableError(error))));
    }
  };
  /** Opens the stores, runs `work`, and always closes the stores. */
  const withOperator = (work: (operator: Operator, print: Print) => Promise<boolean | Failure>): Promise<void> =>
    withOutput(async (print) => {
      const operator = await openOperator(config(), { nextSecret: nextSecret() });
      try {
        return await work(operator, print);
      } finally {
        await operator.close();
      }
    });
  const declare = (name: keyof typeof ADMIN_COMMANDS, below: Command = program, word: string = name): Command => {
    const { summary, about, help } = ADMIN_COMMANDS[name];
    const command = below.command(word).summary(summary).description(about);
    addHelp(command, help);
    return command;
  };

  declare('rebuild')
    .addArgument(groupArgument())
    .action((name: GroupName | undefined) =>
      withOperator((operator, print) =>
        rebuildAll(operator, chosen(projectionGroupsOf(operator.product), name), print, io.interrupted),
      ),
    );
  declare('verify')
    .addArgument(new Argument('[part]', 'one group of read models, or the audit log').choices([...GROUPS, AUDIT_LOG]))
    .action((name: GroupName | typeof AUDIT_LOG | undefined) =>
      withOperator(async (operator, print) => {
        const groups = name === AUDIT_LOG ? [] : chosen(projectionGroupsOf(operator.product), name);
        const isEqual = await verifyAll(operator, groups, print, io.interrupted);
        const isLogWanted = name === undefined || name === AUDIT_LOG;
        return isLogWanted ? (await verifyAuditLog(operator, print, io.interrupted)) && isEqual : isEqual;
      }),
    );
  declare('retry')
    .addArgument(groupArgument())
    .action((name: GroupName | undefined) =>
      withOperator((operator, print) => retryAll(operator, chosen(projectionGroupsOf(operator.product), name), print)),
    );
  declare('rotate-admin-key').action(() =>
    withOperator(async ({ adminKey, product }, print) => {
      const key = await adminKey.rotate();
      const ended = await retireAdminKey(product);
      print.result({ adminKey: key, endedSessions: ended }, `New admin key (shown only once): ${key}`);
      return true;
    }),
  );
  declare('rotate-master-secret')
    .option('--servers-are-stopped', 'required for external stores, where running servers are not detected')
    .action(({ serversAreStopped }: { serversAreStopped?: true }) =>
      withOperator(async (operator, print) => {
        if (operator.serverRuns ?? !serversAreStopped) {
          const hint = 'With external stores, confirm with --servers-are-stopped.';
          return failed('servers_run', 'Stop every server, then run this command again', { hint });
        }
        const { dataDir, masterSecret } = config();
        const given = nextSecret();
        if (masterSecret && !given) {
          const hint = 'Generate one with: openssl rand -base64 32';
          return failed('new_secret_missing', 'MASTER_SECRET is set in the environment. Set NEW_MASTER_SECRET to the new secret.', {
            hint,
          });
        }
        const rotation = await rotateMasterSecret(operator, { dataDir, given });
        const rebuilt = await rebuildAll(
          operator,
          [projectionGroupsOf({ ...operator.product, digest: rotation.digest }).main],
          print,
          io.interrupted,
        );
        if (!rebuilt) return false;
        const file = await rotation.settle();
        print.result(
          { rewrapped: rotation.rewrapped, file },
          file
            ? `Wrapped ${rotation.rewrapped} data keys with the new secret in ${file}, and removed the old one. Back it up, then start the servers. Existing database backups need the old secret.`
            : `Wrapped ${rotation.rewrapped} data keys. Start the servers with the new MASTER_SECRET. Existing database backups need the old one.`,
        );
        return true;
      }),
    );
  declare('scavenge').action(() => withOperator((operator, print) => scavenge(operator, print, io.interrupted)));
  declare('confirm-store')
    .addArgument(new Argument('[answer]', 'whether it has the same events').choices(['same', 'different']))
    .action((answer: 'same' | 'different' | undefined) =>
      withOperator((operator, print) => confirmEventStore(operator, print, answer)),
    );
  declare('allow-key-sign-in')
    .addArgument(new Argument('[integrator]', 'the id of a service integrator'))
    .action((id: string | undefined) =>
      withOperator(async (operator, print) => {
        if (id !== undefined && !isUuid(id)) return failed('invalid_id', 'The id of a service integrator is a UUID');
        return allowKeySignIn(operator, print, id as IntegratorId | undefined);
      }),
    );
  declare('grant-store-access')
    .argument('<user>', 'login name in EventStoreDB')
    .action(async (user: string) => {
      const output = outputOf();
      try {
        const { eventStoreUrl } = config();
        if (eventStoreUrl === null) {
          end(output.fail(failed('no_event_store', 'Set EVENTSTORE_URL with the login of an administrator')));
          return;
        }
        const readRoles = await grantStoreAccess(eventStoreUrl, user);
        output.result({ readRoles }, () => [`$all: ${readRoles.join(', ')} may read`]);
        end(EXIT.done);
      } catch (error) {
        end(output.fail(failed('failed', readableError(error))));
      }
    });
  declare('export').action(() =>
    withOperator(async (operator, print) => {
      const count = await exportEvents(operator, print, io.interrupted, async (line) => {
        if (!io.stdout.write(`${line}\n`)) await once(io.stdout, 'drain');
      });
      print.step(counted(count, 'event'));
      return true;
    }),
  );
  declareAudit({ declare, withOutput, withOperator, cwd: io.cwd });
  declareSigning({ declare, withOutput, withOperator, cwd: io.cwd });
  const directoryArgument = (text: string): Argument => new Argument('<directory>', text);
  declare('backup')
    .addArgument(directoryArgument('an empty or new directory'))
    .action((directory: string) =>
      withOutput(async (print) => {
        await backUp(config(), resolve(io.cwd, directory), print, io.interrupted);
        return true;
      }),
    );
  declare('restore')
    .addArgument(directoryArgument('the directory of a backup'))
    .action((directory: string) =>
      withOutput(async (print) => {
        await restore(config(), resolve(io.cwd, directory), print, io.interrupted);
        return true;
      }),
    );
  declare('copy-events')
    .requiredOption('--to <url>', 'connection string of the event store to copy to')
    .option('--from <url>', 'connection string of the event store to copy from (default: that of the server)')
    .action(({ from, to }: { from?: string; to: string }) =>
      withOutput(async (print) => {
        await copyAllEvents(config(), { from, to }, print, io.interrupted);
        return true;
      }),
    );
  completionCommand(program).action((_shell: string, _options: unknown, command: Command) => {
    const script = askedScript(program, command);
    const output = outputOf();
    if (output.json) output.result({ script }, () => []);
    else io.stdout.write(script);
  });
  return program;
};
