import type { OfflineLicenseClaims, OfflineLicenseFile } from '../../contracts/offlineLicenses.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Answer } from '../failure.ts';
import { openLicenses } from '../home/licenses.ts';
import { licenseFingerprintOf } from '../home/machine.ts';
import { isoTime } from '../io.ts';

/** Verifies a license on this machine, and notes the time that its clock shows. */
export const verifyHere = async ({ home, io }: Context, file: OfflineLicenseFile): Promise<Answer<OfflineLicenseClaims>> => {
  const licenses = openLicenses(home);
  const now = io.now();
  // Loaded late: most commands verify nothing.
  const { verifyOfflineLicense } = await import('./verify.ts');
  const { clockFile, latestTime } = licenses;
  const here = { fingerprint: licenseFingerprintOf(home), now, clockFile, latestTime: latestTime() };
  const verified = await verifyOfflineLicense(file, here);
  licenses.recordTime(now);
  return verified;
};

/** Verifies the offline license of the profile; null if there is none. */
export const verifyStored = async (context: Context): Promise<Answer<OfflineLicenseClaims> | null> => {
  const name = context.profileName();
  const stored = name.ok ? openLicenses(context.home).read(name.value) : null;
  return stored && verifyHere(context, stored);
};

/** Notes on standard error until when the offline license is valid. */
export const noteValidity = ({ output }: Context, { exp }: OfflineLicenseClaims): void =>
  output.note(`Your offline license is valid on this machine until ${isoTime(exp * 1_000)}.`);

/**
 * The exit code of a command that could not reach the server. If the profile has an offline license, it is verified: the code of one that is
 * not valid replaces it.
 */
export const exitWithoutServer = async (context: Context, exit: ExitCode): Promise<ExitCode> => {
  if (exit !== EXIT.unreachable) return exit;
  const verified = await verifyStored(context);
  if (verified === null) return exit;
  if (!verified.ok) return context.output.warn(verified.failure);
  noteValidity(context, verified.value);
  return exit;
};
