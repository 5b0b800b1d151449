import { once } from 'node:events';
import { resolve } from 'node:path';
import { readConfig } from '../bootstrap/config.ts';
import { readableError } from '../bootstrap/readableError.ts';
import { retireAdminKey } from '../bootstrap/retireAdminKey.ts';
import { EXIT, type ExitCode } from '../cli/exit.ts';
import { type Failure, failed, missing, refused } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import { openOutput } from '../cli/terminal/output.ts';
import { openProgress } from '../cli/terminal/progress.ts';
import { counted } from '../cli/terminal/text.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { isUuid } from '../domain/ids.ts';
import { grantStoreAccess } from '../eventstore/access.ts';
import { CopyRefused } from '../eventstore/copy/target.ts';
import type { GroupName } from '../projections/engine/groups.ts';
import type { ProjectionGroup } from '../projections/engine/projection.ts';
import { projectionGroupsOf } from '../projections/projector.ts';
import { rotateAuditKey, signCheckpoint, verifyAuditLog } from './audit.ts';
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
import { AUDIT_LOG } from './helpTexts.ts';
import { type Operator, openOperator, StoreMissing } from './operator.ts';
import { rotateMasterSecret } from './rotateMasterSecret.ts';
import { type VerifyFileOptions, verifyFile } from './verifyFile.ts';
import { type VerifyStatementOptions, verifyStatement } from './verifyStatement.ts';

/** What the commands share: `end` is called with the exit code, `json` and `color` are options of the program. */
type ActionDeps = Readonly<{ io: Io; end: (code: ExitCode) => void; json: boolean; color: boolean }>;

const chosen = (plans: Record<GroupName, ProjectionGroup>, name: GroupName | undefined): ProjectionGroup[] =>
  name === undefined ? Object.values(plans) : [plans[name]];

/** What each command of `latchkey-admin` does, by name, with its arguments and options. */
export const createActions = ({ io, end, json, color }: ActionDeps) => {
  const config = () => readConfig(io.env);
  const { cwd } = io;
  const output = openOutput(io, { json, color });

  const nextSecret = (): Buffer | null =>
    io.env.NEW_MASTER_SECRET === undefined ? null : readConfig({ MASTER_SECRET: io.env.NEW_MASTER_SECRET }).masterSecret;

  /** Runs `work` and ends with its exit code. It resolves to false if it has reported its failure. */
  const withOutput = async (work: (print: Print) => Promise<boolean | Failure>): Promise<void> => {
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
      else if (error instanceof BackupRefused) end(output.fail(refused('backup_refused', error.message)));
      else if (error instanceof CopyRefused) end(output.fail(refused('copy_refused', error.message)));
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

  return {
    rebuild: (name: GroupName | undefined) =>
      withOperator((operator, print) =>
        rebuildAll(operator, chosen(projectionGroupsOf(operator.product), name), print, io.interrupted),
      ),
    verify: (name: GroupName | typeof AUDIT_LOG | undefined) =>
      withOperator(async (operator, print) => {
        const groups = name === AUDIT_LOG ? [] : chosen(projectionGroupsOf(operator.product), name);
        const isEqual = await verifyAll(operator, groups, print, io.interrupted);
        const isLogWanted = name === undefined || name === AUDIT_LOG;
        return isLogWanted ? (await verifyAuditLog(operator, print, io.interrupted)) && isEqual : isEqual;
      }),
    retry: (name: GroupName | undefined) =>
      withOperator((operator, print) => retryAll(operator, chosen(projectionGroupsOf(operator.product), name), print)),
    rotateAdminKey: () =>
      withOperator(async ({ adminKey, product }, print) => {
        const key = await adminKey.rotate();
        const ended = await retireAdminKey(product);
        print.result({ adminKey: key, endedSessions: ended }, `New admin key (shown only once): ${key}`);
        return true;
      }),
    rotateMasterSecret: ({ serversAreStopped }: { serversAreStopped?: true }) =>
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
    scavenge: () => withOperator((operator, print) => scavenge(operator, print, io.interrupted)),
    confirmStore: (answer: 'same' | 'different' | undefined) =>
      withOperator((operator, print) => confirmEventStore(operator, print, answer)),
    allowKeySignIn: (id: string | undefined) =>
      withOperator(async (operator, print) => {
        if (id !== undefined && !isUuid(id)) return failed('invalid_id', 'The id of a service integrator is a UUID');
        return allowKeySignIn(operator, print, id as IntegratorId | undefined);
      }),
    grantStoreAccess: (user: string) =>
      withOutput(async (print) => {
        const { eventStoreUrl } = config();
        if (eventStoreUrl === null) return failed('no_event_store', 'Set EVENTSTORE_URL with the login of an administrator');
        const readRoles = await grantStoreAccess(eventStoreUrl, user);
        print.result({ readRoles }, `$all: ${readRoles.join(', ')} may read`);
        return true;
      }),
    export: () =>
      withOperator(async (operator, print) => {
        const count = await exportEvents(operator, print, io.interrupted, async (line) => {
          if (!io.stdout.write(`${line}\n`)) await once(io.stdout, 'drain');
        });
        print.step(counted(count, 'event'));
        return true;
      }),
    auditVerify: (file: string, options: VerifyFileOptions) => withOutput((print) => verifyFile(file, options, { cwd, print })),
    auditCheckpoint: () => withOperator(signCheckpoint),
    auditRotateKey: () => withOperator(rotateAuditKey),
    statementVerify: (file: string, options: VerifyStatementOptions) =>
      withOutput((print) => verifyStatement(file, options, { cwd, print })),
    rotateSigningKey: (options: { revoke?: boolean }) =>
      withOperator(async ({ product }, print) => {
        const { active, former } = await product.signingKeys.rotate(options);
        const withdrawn = options.revoke ? '\nNo former key is published any more. Users fetch new offline licenses.' : '';
        print.result({ active, former }, `New key: ${active}\nFormer key: ${former}${withdrawn}`);
        return true;
      }),
    backup: (directory: string) =>
      withOutput(async (print) => {
        await backUp(config(), resolve(cwd, directory), print, io.interrupted);
        return true;
      }),
    restore: (directory: string) =>
      withOutput(async (print) => {
        await restore(config(), resolve(cwd, directory), print, io.interrupted);
        return true;
      }),
    copyEvents: ({ from, to }: { from?: string; to: string }) =>
      withOutput(async (print) => {
        await copyAllEvents(config(), { from, to }, print, io.interrupted);
        return true;
      }),
  };
};

/** The commands by name. */
export type Actions = ReturnType<typeof createActions>;
