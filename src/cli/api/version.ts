import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Failure, failed } from '../failure.ts';

const packageFile = z.object({ version: z.string() });

/** The version of this package. */
export const versionOf = (): string =>
  packageFile.parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))).version;

/** The value of the User-Agent header. */
export const userAgent = (): string => `latchkey/${versionOf()} node/${process.versions.node} ${process.platform}`;

const OUT_OF_DATE = 'out_of_date';

export const isOutOfDate = ({ code }: Failure): boolean => code === OUT_OF_DATE;

/** The failure for incompatible versions, while the server's version is unknown. */
export const outOfDate = ({ server, status }: { server: string; status?: number }): Failure =>
  failed(OUT_OF_DATE, `This latchkey and the server at ${server} are not compatible`, {
    hint: 'One of them is out of date. Update latchkey, or contact the administrator of the server.',
    ...(status !== undefined && { status }),
  });

/** Negative if the first version is older. Pre-release suffixes are ignored. */
const compareVersions = (one: string, other: string): number => {
  const [left, right] = [one, other].map((version) => version.split('-')[0]?.split('.').map(Number) ?? []);
  const differences = [0, 1, 2].map((part) => (left?.[part] ?? 0) - (right?.[part] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/** The failure for incompatible versions with the server's version. */
export const outOfDateWith = (failure: Failure, server: string, theirs: string): Failure => {
  const ours = versionOf();
  const difference = compareVersions(ours, theirs);
  const message = `This latchkey is ${ours}, the server at ${server} is ${theirs}. They are not compatible`;
  if (difference < 0) return { ...failure, message, hint: `Update latchkey to ${theirs}.` };
  if (difference > 0)
    return { ...failure, message, hint: `Ask the administrator to update the server, or use latchkey ${theirs}.` };
  return { ...failure, hint: 'Both have the same version. A proxy may be changing their messages.' };
};
