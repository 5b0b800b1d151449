import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Problem } from '../auditLog/problem.ts';
import { isVerifierKey, type VerifierKey } from '../auditLog/signedNote.ts';
import { compareCheckpoints } from '../auditLog/verifyCheckpoint.ts';
import { type ExportReport, verifyExport } from '../auditLog/verifyExport.ts';
import { type Failure, missing, misused } from '../cli/failure.ts';
import { counted } from '../cli/terminal/text.ts';
import type { Print } from './commands.ts';

/** Options of `audit verify`: files, and a public key or a file of them. */
export type VerifyFileOptions = Readonly<{ checkpoint?: string; key?: string; proof?: string }>;

/** Further problems are counted only. */
const LISTED_PROBLEMS = 100;

/** A file that the command line names and that cannot be read. */
class Unreadable extends Error {}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new Unreadable(path);
  }
};

/** The lines of a file, which end with a line feed only: any other byte belongs to a line. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new Unreadable(path) : error;
  }
  if (rest !== '') yield rest;
}

/** The keys of an option: one key, or those in a file, one a line. */
const keysOf = async (given: string, cwd: string): Promise<VerifierKey[]> => {
  if (isVerifierKey(given)) return [given];
  const text = await textOf(resolve(cwd, given));
  return text.split('\n').filter((line) => line.trim() !== '');
};

const described = ({ kind, line, message, entry }: Problem): string => {
  const where = line === null ? '' : `Line ${line}: `;
  return `${where}${kind}: ${message}${entry ? ` (${entry.type}, ${entry.at}, event ${entry.id})` : ''}`;
};

const summaryOf = ({ entries, deleted, checkpoint }: ExportReport): string =>
  [
    `Verified: ${entries === 1 ? '1 entry' : `${entries} entries`}, in the audit log ${checkpoint?.origin} of ${counted(checkpoint?.size ?? 0, 'event')}, signed ${checkpoint?.at}.`,
    ...(deleted > 0 ? [`${counted(deleted, 'event')} deleted since: of these, the log proves only that there was an event.`] : []),
  ].join('\n');

const UNTRUSTED =
  'The keys are those of the file. To prove who made it, get the key from the server (/.well-known/latchkey/keys), keep it, and pass it with --key.';

/** Verifies a verified export without a server or a database. Resolves to false if anything is wrong. */
export const verifyFile = async (
  file: string,
  options: VerifyFileOptions,
  { cwd, print }: { cwd: string; print: Print },
): Promise<boolean | Failure> => {
  try {
    if (options.proof !== undefined && options.checkpoint === undefined) {
      return misused('--proof needs --checkpoint: it proves that one checkpoint continues the other');
    }
    const keys = options.key === undefined ? null : await keysOf(options.key, cwd);
    if (keys && (keys.length === 0 || !keys.every(isVerifierKey))) {
      return misused(`${options.key} is neither a public key of an audit log nor a file with such keys`);
    }
    const path = resolve(cwd, file);
    const report = await verifyExport(linesOf(path), { keys });
    const problems = [...report.problems];
    if (options.checkpoint !== undefined && report.checkpoint) {
      const kept = await textOf(resolve(cwd, options.checkpoint));
      const proof = options.proof === undefined ? null : await textOf(resolve(cwd, options.proof));
      const compared = compareCheckpoints(report.checkpoint, kept, { keys: keys ?? report.keys, proof });
      if (compared.kind === 'proof_needed') {
        const where = `/.well-known/latchkey/consistency/${compared.from}/${compared.to}`;
        return missing('proof_needed', 'The checkpoints have different sizes, so a consistency proof is needed', {
          hint: `Download ${where} from the server, and pass the file with --proof.`,
        });
      }
      problems.push(...compared.problems);
    }
    const isVerified = problems.length === 0;
    if (keys === null) print.step(UNTRUSTED);
    const listed = problems.slice(0, LISTED_PROBLEMS);
    const more = problems.length > listed.length ? [`… and ${problems.length - listed.length} more`] : [];
    print.result(
      { verified: isVerified, trustedKey: keys !== null, ...report, problems: listed, problemCount: problems.length },
      isVerified ? summaryOf(report) : [...listed.map(described), ...more].join('\n'),
    );
    if (!isVerified) print.step(`${file} is not as it was exported: ${counted(problems.length, 'problem')}`);
    return isVerified;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return missing('file_missing', `${error.message} cannot be read. Name an existing file.`);
  }
};
