import type { Declaring } from './auditProgram.ts';
import { type VerifyStatementOptions, verifyStatement } from './verifyStatement.ts';

/** Declares the commands on the keys that sign offline licenses and statements, and on what they signed. */
export const declareSigning = ({ declare, withOutput, withOperator, cwd }: Declaring): void => {
  declare('statementVerify', declare('statement'), 'verify')
    .argument('<file>', 'the JSON file, the CSV file or the page of a statement, or its verification code')
    .requiredOption('--keys <file>', 'the public keys of the server')
    .option('--csv <file>', 'the CSV file of the same statement')
    .action((file: string, options: VerifyStatementOptions) =>
      withOutput((print) => verifyStatement(file, options, { cwd, print })),
    );
  const rotate = declare('rotate-signing-key').option('--revoke', 'withdraw all former keys, if one was disclosed');
  rotate.action((options: { revoke?: boolean }) =>
    withOperator(async ({ product }, print) => {
      const { active, former } = await product.signingKeys.rotate(options);
      print.result({ active, former }, `New key: ${active}\nFormer key: ${former}`);
      return true;
    }),
  );
};
