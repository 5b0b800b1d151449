import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Failure, failed, missing } from '../cli/failure.ts';
import { signedClaims } from '../cli/license/verify.ts';
import { type OfflineLicenseFile, signingKeySet } from '../contracts/offlineLicenses.ts';
import {
  STATEMENT_CODE_TYPE,
  STATEMENT_TYPE,
  type StatementCode,
  statementClaims,
  statementCode,
} from '../contracts/statements.ts';
import { sha256Of } from '../security/sha256.ts';
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

type Keys = OfflineLicenseFile['keys'];

const CODE = /[\w-]{20,}\.[\w-]{100,}\.[\w-]{80,}/;

/** What the code in a CSV file or a printed page says, and whether the rest of the file is what was signed; null without a valid code. */
const codeIn = async (content: Buffer, keys: Keys): Promise<{ code: StatementCode; isAlone: boolean; isWhole: boolean } | null> => {
  const text = content.toString();
  // A code that was copied from a print has line breaks.
  const compact = text.replace(/\s/g, '');
  const [alone] = CODE.exec(compact) ?? [];
  const isAlone = alone !== undefined && alone === compact;
  const [found] = isAlone ? [alone] : (CODE.exec(text) ?? []);
  if (found === undefined) return null;
  const claims = statementCode.safeParse(await signedClaims(found, keys, STATEMENT_CODE_TYPE));
  if (!claims.success) return null;
  return { code: claims.data, isAlone, isWhole: isAlone || sha256Of(text.replace(found, '')) === claims.data.sha256 };
};

const describeCode = (code: StatementCode): string => {
  const { month, calls, errors, iss, iat } = code;
  const signed = `Signed by ${iss} at ${new Date(iat * 1_000).toISOString()}`;
  if ('integrator' in code) {
    const customers = `${code.customers} ${code.customers === 1 ? 'customer' : 'customers'}`;
    return `${code.integrator.name}, ${month}: ${customers}, ${calls} API calls, ${errors} failed. ${signed}`;
  }
  const { developer, stakeholder } = code.seats;
  const peaks = `seats at most ${developer.peak} developer and ${stakeholder.peak} stakeholder`;
  return `${code.customer.name}, ${month}: ${calls} API calls, ${errors} failed, ${peaks}. ${signed}`;
};

/** The customer of a statement, or the service integrator of all its customers. */
const whoseOf = (of: StatementCode | z.infer<typeof statementClaims>['statement']): { id: string; name: string } =>
  'integrator' in of ? of.integrator : of.customer;

const verifyCode = async (path: string, content: Buffer, keys: Keys, print: Print): Promise<true | Failure> => {
  const found = await codeIn(content, keys);
  if (!found)
    return failed('statement_unreadable', `${path} is not a statement, or none of the keys signed it`, {
      hint: 'Pass the JSON file, the CSV file or the page that the console downloads, or its verification code.',
    });
  const { code, isAlone, isWhole } = found;
  if (!isWhole) return failed('statement_changed', 'The statement was changed after it was signed', { hint: DOWNLOAD });
  const end = isAlone ? '. Compare these figures with the page.' : ', and not changed since.';
  print.result({ verified: true, issuer: code.iss, statement: code }, `${describeCode(code)}${end}`);
  return true;
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
  if (!file.success) return verifyCode(path, content, keys.data.keys, print);
  const claims = statementClaims.safeParse(await signedClaims(file.data.signed, keys.data.keys, STATEMENT_TYPE));
  if (!claims.success) return failed('statement_forged', 'None of the keys signed this statement', { hint: DOWNLOAD });
  const { statement, csvSha256, iss } = claims.data;
  if (!isDeepStrictEqual(file.data.statement, statement)) {
    return failed('statement_changed', 'The statement was changed after it was signed', { hint: DOWNLOAD });
  }
  if (options.csv !== undefined) {
    const csv = await fileAt(cwd, options.csv);
    if (isFailure(csv)) return csv;
    const own = await codeIn(csv, keys.data.keys);
    const isOfSame = own?.isWhole && own.code.month === statement.month && whoseOf(own.code).id === whoseOf(statement).id;
    if (!isOfSame && sha256Of(csv) !== csvSha256) {
      return failed('csv_changed', `${options.csv} is not the CSV of this statement`);
    }
  }
  const { month, calls, createdAt } = statement;
  print.result(
    { verified: true, issuer: iss, statement },
    `${whoseOf(statement).name}, ${month}: ${calls.total} API calls. Signed by ${iss} at ${createdAt}, and not changed since.`,
  );
  return true;
};
