import { once } from 'node:events';
import { Argument, Command } from 'commander';
import { readConfig } from '../../bootstrap/config.ts';
import { type Operator, openOperator } from '../../bootstrap/operator.ts';
import { readableError } from '../../bootstrap/readableError.ts';
import { rotateMasterSecret } from '../../bootstrap/rotateMasterSecret.ts';
import type { GroupName } from '../../projections/monitoring/queries.ts';
import type { Plan } from '../../projections/projection.ts';
import { plansOf } from '../../projections/projector.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Io } from '../io.ts';
import { exportEvents, rebuildAll, retryAll, scavenge, type Tell, verifyAll } from './commands.ts';

const AFTER = `
Exit codes:
  0  done
  1  failed, or something differs or is still held back
  2  wrong usage

It works on the stores that DATABASE_URL, EVENTSTORE_URL and DATA_DIR name, as the server does: beside a running server, or
without one. docs/operations.md says when each command is for.`;

const tellTo = ({ stdout, stderr }: Io, json: boolean): Tell => ({
  step: (text) => void stderr.write(`${text}\n`),
  result: (value, text) => void stdout.write(`${json ? JSON.stringify(value) : text}\n`),
});

const groupArgument = (): Argument => new Argument('[projection]', 'one group of read models').choices(['main', 'usage']);

const chosen = (plans: Record<GroupName, Plan>, name: GroupName | undefined): Plan[] =>
  name === undefined ? Object.values(plans) : [plans[name]];

/** The command line of `latchkey-admin`. `end` is told what it exits with. */
export const buildAdminProgram = (io: Io, end: (code: ExitCode) => void): Command => {
  const program = new Command('latchkey-admin')
    .description('Operate a Latchkey server: read models, keys, events.')
    .option('--json', 'print results as JSON, one a line')
    .addHelpText('after', AFTER)
    .showHelpAfterError('(latchkey-admin --help shows what there is)');
  const config = () => readConfig(io.env);

  /** Runs a command on opened stores, and closes them whatever happens. */
  const withOperator = async (work: (operator: Operator, tell: Tell) => Promise<boolean>): Promise<void> => {
    const tell = tellTo(io, program.opts().json === true);
    try {
      const operator = await openOperator(config());
      try {
        end((await work(operator, tell)) ? EXIT.done : EXIT.failed);
      } finally {
        await operator.close();
      }
    } catch (error) {
      tell.step(`latchkey-admin: ${readableError(error)}`);
      end(EXIT.failed);
    }
  };

  program
    .command('rebuild')
    .description('build read models anew from the events, beside those that serve, then swap')
    .addArgument(groupArgument())
    .action((name: GroupName | undefined) =>
      withOperator((operator, tell) => rebuildAll(operator, chosen(plansOf(operator.product.digest), name), tell, io.interrupted)),
    );
  program
    .command('verify')
    .description('build read models into a schema of their own and compare every row')
    .addArgument(groupArgument())
    .action((name: GroupName | undefined) =>
      withOperator((operator, tell) => verifyAll(operator, chosen(plansOf(operator.product.digest), name), tell, io.interrupted)),
    );
  program
    .command('retry')
    .description('take in again the streams that were held back')
    .addArgument(groupArgument())
    .action((name: GroupName | undefined) =>
      withOperator((operator, tell) => retryAll(operator, chosen(plansOf(operator.product.digest), name), tell)),
    );
  program
    .command('rotate-admin-key')
    .description('replace the generated admin key, end administrators’ sessions, and print the new key once')
    .action(() =>
      withOperator(async ({ adminKey, product }, tell) => {
        const key = await adminKey.rotate();
        const ended = await product.sessions.end({ kind: 'admin' }, 'key_rotated');
        tell.result({ adminKey: key, endedSessions: ended }, `New admin key (shown this once): ${key}`);
        return true;
      }),
    );
  program
    .command('rotate-master-secret')
    .description('wrap every data key under a new master secret; stop every server first')
    .option('--servers-are-stopped', 'needed where the stores are not embedded, since it cannot be seen')
    .action(({ serversAreStopped }: { serversAreStopped?: true }) =>
      withOperator(async (operator, tell) => {
        if (operator.serverRuns ?? !serversAreStopped) {
          tell.step('Stop every server first, then run this again (with --servers-are-stopped where the stores are not embedded).');
          return false;
        }
        const { dataDir, masterSecret } = config();
        const given =
          io.env.NEW_MASTER_SECRET === undefined ? null : readConfig({ MASTER_SECRET: io.env.NEW_MASTER_SECRET }).masterSecret;
        if (masterSecret && !given) {
          tell.step(
            'MASTER_SECRET is given by the environment: give its successor as NEW_MASTER_SECRET (openssl rand -base64 32).',
          );
          return false;
        }
        const rotation = await rotateMasterSecret(operator, { dataDir, given });
        const rebuilt = await rebuildAll(operator, [plansOf(rotation.digest).main], tell, io.interrupted);
        if (!rebuilt) return false;
        const file = await rotation.settle();
        tell.result(
          { rewrapped: rotation.rewrapped, file },
          file
            ? `${rotation.rewrapped} data keys wrapped anew; the new secret is in ${file}. Back it up, then start the servers.`
            : `${rotation.rewrapped} data keys wrapped anew; start the servers with the new MASTER_SECRET.`,
        );
        return true;
      }),
    );
  program
    .command('scavenge')
    .description('remove events of deleted streams from the event store for good')
    .action(() => withOperator((operator, tell) => scavenge(operator, tell, io.interrupted)));
  program
    .command('export')
    .description('print every event as a line of JSON, without passwords and tokens')
    .action(() =>
      withOperator(async (operator, tell) => {
        const count = await exportEvents(operator, async (line) => {
          if (!io.stdout.write(`${line}\n`)) await once(io.stdout, 'drain');
        });
        tell.step(`${count} events`);
        return true;
      }),
    );
  return program;
};
