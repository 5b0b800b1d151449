import type { Command } from 'commander';
import type { Failure } from '../cli/failure.ts';
import { rotateAuditKey, signCheckpoint } from './audit.ts';
import type { Print } from './commands.ts';
import type { ADMIN_COMMANDS } from './helpTexts.ts';
import type { Operator } from './operator.ts';
import { type VerifyFileOptions, verifyFile } from './verifyFile.ts';

/** How commands are declared and run. */
export type Declaring = Readonly<{
  declare: (name: keyof typeof ADMIN_COMMANDS, below?: Command, word?: string) => Command;
  withOutput: (work: (print: Print) => Promise<boolean | Failure>) => Promise<void>;
  withOperator: (work: (operator: Operator, print: Print) => Promise<boolean | Failure>) => Promise<void>;
  cwd: string;
}>;

/** Declares `latchkey-admin audit` and what is below it. */
export const declareAudit = ({ declare, withOutput, withOperator, cwd }: Declaring): void => {
  const audit = declare('audit');
  declare('auditVerify', audit, 'verify')
    .argument('<file>', 'a verified export of a history')
    .option('--key <key>', 'public key of the server, or a file of such keys (default: those in the file)')
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere')
    .option('--proof <file>', 'the consistency proof between that checkpoint and the one of the export')
    .action((file: string, options: VerifyFileOptions) => withOutput((print) => verifyFile(file, options, { cwd, print })));
  declare('auditCheckpoint', audit, 'checkpoint').action(() => withOperator(signCheckpoint));
  declare('auditRotateKey', audit, 'rotate-key').action(() => withOperator(rotateAuditKey));
};
