import { Argument, Command } from 'commander';
import { versionOf } from '../cli/api/version.ts';
import type { ExitCode } from '../cli/exit.ts';
import type { Io } from '../cli/io.ts';
import { askedScript, completionCommand } from '../cli/terminal/completionCommand.ts';
import { addHelp, nameHelp } from '../cli/terminal/help.ts';
import { openOutput } from '../cli/terminal/output.ts';
import { GROUPS } from '../projections/engine/groups.ts';
import type { Actions } from './actions.ts';
import { ADMIN_COMMANDS, ADMIN_PROGRAM, AUDIT_LOG } from './helpTexts.ts';

const groupArgument = (): Argument => new Argument('[projection]', 'one group of read models').choices([...GROUPS]);
const directoryArgument = (text: string): Argument => new Argument('<directory>', text);

/** Declares all commands of `latchkey-admin`. `end` is called with the exit code. */
export const buildAdminProgram = (io: Io, end: (code: ExitCode) => void): Command => {
  const program = new Command('latchkey-admin')
    .description('Operate a Latchkey server: read models, keys, events.')
    .version(versionOf(), '--version', 'show the version')
    .option('--json', 'output JSON, one object per line')
    .option('--no-color', 'no colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'explain a command');
  addHelp(program, ADMIN_PROGRAM);
  const wanted = () => ({ json: program.opts().json === true, color: program.opts().color !== false });

  const declare = (name: keyof typeof ADMIN_COMMANDS, below: Command = program, word: string = name): Command => {
    const { summary, about, help } = ADMIN_COMMANDS[name];
    const command = below.command(word).summary(summary).description(about);
    addHelp(command, help);
    return command;
  };

  /** Loads the clients of the stores when a command runs: that takes a second, and help needs none of them. */
  const run =
    <Given extends unknown[]>(actionIn: (actions: Actions) => (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      const { createActions } = await import('./actions.ts');
      await actionIn(createActions({ io, end, ...wanted() }))(...given);
    };

  declare('rebuild')
    .addArgument(groupArgument())
    .action(run((actions) => actions.rebuild));
  declare('verify')
    .addArgument(new Argument('[part]', 'one group of read models, or the audit log').choices([...GROUPS, AUDIT_LOG]))
    .action(run((actions) => actions.verify));
  declare('retry')
    .addArgument(groupArgument())
    .action(run((actions) => actions.retry));
  declare('rotate-admin-key').action(run((actions) => actions.rotateAdminKey));
  declare('rotate-master-secret')
    .option('--servers-are-stopped', 'required for external stores, where running servers are not detected')
    .action(run((actions) => actions.rotateMasterSecret));
  declare('scavenge').action(run((actions) => actions.scavenge));
  declare('confirm-store')
    .addArgument(new Argument('[answer]', 'whether it has the same events').choices(['same', 'different']))
    .action(run((actions) => actions.confirmStore));
  declare('allow-key-sign-in')
    .addArgument(new Argument('[integrator]', 'the id of a service integrator'))
    .action(run((actions) => actions.allowKeySignIn));
  declare('grant-store-access')
    .argument('<user>', 'login name in EventStoreDB')
    .action(run((actions) => actions.grantStoreAccess));
  declare('export').action(run((actions) => actions.export));
  const audit = declare('audit');
  declare('auditVerify', audit, 'verify')
    .argument('<file>', 'a verified export of a history')
    .option('--key <key>', 'public key of the server, or a file of such keys (default: those in the file)')
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere')
    .option('--proof <file>', 'the consistency proof between that checkpoint and the one of the export')
    .action(run((actions) => actions.auditVerify));
  declare('auditCheckpoint', audit, 'checkpoint').action(run((actions) => actions.auditCheckpoint));
  declare('auditRotateKey', audit, 'rotate-key').action(run((actions) => actions.auditRotateKey));
  declare('statementVerify', declare('statement'), 'verify')
    .argument('<file>', 'the JSON file, the CSV file or the page of a statement, or its verification code')
    .requiredOption('--keys <file>', 'the public keys of the server')
    .option('--csv <file>', 'the CSV file of the same statement')
    .action(run((actions) => actions.statementVerify));
  declare('rotate-signing-key')
    .option('--revoke', 'withdraw all former keys, if one was disclosed')
    .action(run((actions) => actions.rotateSigningKey));
  declare('backup')
    .addArgument(directoryArgument('an empty or new directory'))
    .action(run((actions) => actions.backup));
  declare('restore')
    .addArgument(directoryArgument('the directory of a backup'))
    .action(run((actions) => actions.restore));
  declare('copy-events')
    .requiredOption('--to <url>', 'connection string of the event store to copy to')
    .option('--from <url>', 'connection string of the event store to copy from (default: that of the server)')
    .action(run((actions) => actions.copyEvents));
  completionCommand(program).action((_shell: string, _options: unknown, command: Command) => {
    const script = askedScript(program, command);
    const output = openOutput(io, wanted());
    if (output.json) output.result({ script }, () => []);
    else io.stdout.write(script);
  });
  nameHelp(program);
  return program;
};
