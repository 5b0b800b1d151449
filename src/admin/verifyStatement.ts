import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Failure, failed, missing } from '../cli/failure.ts';
import { signedClaims } from '../cli/license/verify.ts';
import { signingKeySet } from '../contracts/offlineLicenses.ts';
import { STATEMENT_TYPE, statementClaims } from '../contracts/statements.ts';
import type { Print } from './commands.ts';

export type VerifyStatementOptions = Readonly<{ keys: string; csv?: string }>;

/** A file of the console or a reply; `statement` must be what was signed. */
const statementFile = z.object({ statement: z.unknown(), signed: z.string() });

const DOWNLOAD = 'Download the statement again, and compare the files.';

const isFailure = (value: Buffer | Failure): value is Failure => !Buffer.isBuffer(value);

const fileAt = async (cwd: string, path: string): Promise<Buffer | Failure> => {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return missing('file_missing', `There is no file ${path}`);
    throw error;
  }
};

const jsonIn = (content: Buffer): unknown => {
  try {
    return JSON.parse(content.toString());
  } catch {
    return null;
  }
};

/** Verifies a statement of usage, and its CSV if given, with the public keys of a server. Prints what it says. */
export const verifyStatement = async (
  path: string,
  options: VerifyStatementOptions,
  { cwd, print }: Readonly<{ cwd: string; print: Print }>,
): Promise<true | Failure> => {
  const content = await fileAt(cwd, path);
  if (isFailure(content)) return content;
  const keyFile = await fileAt(cwd, options.keys);
  if (isFailure(keyFile)) return keyFile;
  const keys = signingKeySet.safeParse(jsonIn(keyFile));
  if (!keys.success)
    return failed('keys_unreadable', `${options.keys} contains no public keys`, {
      hint: 'Save /.well-known/jwks.json of the server, and pass it with --keys.',
    });
  const file = statementFile.safeParse(jsonIn(content));
  if (!file.success)
    return failed('statement_unreadable', `${path} is not a statement`, { hint: 'Pass the JSON file that the console downloads.' });
  const claims = statementClaims.safeParse(await signedClaims(file.data.signed, keys.data.keys, STATEMENT_TYPE));
  if (!claims.success) return failed('statement_forged', 'None of the keys signed this statement', { hint: DOWNLOAD });
  const { statement, csvSha256, iss } = claims.data;
  if (!isDeepStrictEqual(file.data.statement, statement)) {
    return failed('statement_changed', 'The statement was changed after it was signed', { hint: DOWNLOAD });
  }
  if (options.csv !== undefined) {
    const csv = await fileAt(cwd, options.csv);
    if (isFailure(csv)) return csv;
    if (createHash('sha256').update(csv).digest('hex') !== csvSha256) {
      return failed('csv_changed', `${options.csv} is not the CSV of this statement`);
    }
  }
  const { month, customer, calls, createdAt } = statement;
  print.result(
    { verified: true, issuer: iss, statement },
    `${customer.name}, ${month}: ${calls.total} API calls. Signed by ${iss} at ${createdAt}, and not changed since.`,
  );
  return true;
};
