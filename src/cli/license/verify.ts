import {
  OFFLINE_LICENSE_TYPE,
  type OfflineLicenseClaims,
  type OfflineLicenseFile,
  offlineLicenseClaims,
  SIGNATURE_ALGORITHM,
} from '../../contracts/offlineLicenses.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { EXIT } from '../exit.ts';
import { type Answer, type Failure, licenseInvalid } from '../failure.ts';
import { isoTime } from '../io.ts';

/** How far the clock may be behind without being taken for rolled back, in ms. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

const FETCH = 'With a connection, run: latchkey license fetch. Otherwise, ask for a new file and run: latchkey license import FILE';

const IMPORT_WITH_KEYS =
  'With a connection, run: latchkey license fetch. Otherwise, save /.well-known/jwks.json of the server as jwks.json and run: latchkey license import FILE --keys jwks.json';

/** The failure for a file without an offline license. */
export const notALicense = (message: string, hint: string): Failure =>
  licenseInvalid(EXIT.licenseForged, 'offline_license_unreadable', message, { hint });

/** The header of a compact JWS, which nobody has verified yet; null for other text. */
export const headerOf = async (jws: string): Promise<Readonly<{ kid?: string | undefined }> | null> => {
  const { decodeProtectedHeader } = await import('jose');
  try {
    return decodeProtectedHeader(jws);
  } catch {
    return null;
  }
};

/** Why a license does not have a valid signature. */
const unsigned = async ({ license, keys }: OfflineLicenseFile): Promise<Failure> => {
  const header = await headerOf(license);
  if (header === null) return notALicense('The offline license is damaged: it is not a signed document', FETCH);
  if (header.kid !== undefined && !keys.some(({ kid }) => kid === header.kid)) {
    const message = 'The offline license is signed with a key that this machine does not know';
    return licenseInvalid(EXIT.licenseForged, 'offline_license_key_unknown', message, { hint: IMPORT_WITH_KEYS });
  }
  const message = 'The offline license is not signed by the server, or was changed';
  return licenseInvalid(EXIT.licenseForged, 'offline_license_forged', message, { hint: FETCH });
};

/** The claims of a compact JWS that one of the keys signed for documents of a type; null if none did. */
export const signedClaims = async (jws: string, keys: OfflineLicenseFile['keys'], type: string): Promise<unknown> => {
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  try {
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet({ keys: [...keys] }), {
      algorithms: [SIGNATURE_ALGORITHM],
    });
    return protectedHeader.typ === type ? JSON.parse(new TextDecoder().decode(payload)) : null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
};

/**
 * Verifies an offline license without a server: its signature, the machine, the clock and the expiry, in this order. `latestTime` is the latest
 * time that the clock of this machine has shown, from `clockFile`. Times are in epoch ms.
 */
export const verifyOfflineLicense = async (
  file: OfflineLicenseFile,
  {
    fingerprint,
    now,
    clockFile,
    latestTime,
  }: Readonly<{ fingerprint: string; now: number; clockFile: string; latestTime: number }>,
): Promise<Answer<OfflineLicenseClaims>> => {
  const parsed = offlineLicenseClaims.safeParse(await signedClaims(file.license, file.keys, OFFLINE_LICENSE_TYPE));
  if (!parsed.success) return { ok: false, failure: await unsigned(file) };
  const claims = parsed.data;
  const { machine, iat, exp } = claims;
  if (machine.fingerprint !== fingerprint) {
    const message = `The offline license is for another machine (fingerprint ${machine.fingerprint}; this machine has ${fingerprint})`;
    return { ok: false, failure: licenseInvalid(EXIT.wrongMachine, 'offline_license_wrong_machine', message, { hint: FETCH }) };
  }
  const [issuedAt, tolerated] = [iat * 1_000, now + CLOCK_TOLERANCE_MS];
  if (tolerated < Math.max(latestTime, issuedAt)) {
    const isBehind = tolerated < issuedAt;
    const known = isBehind ? `the license was issued at ${isoTime(issuedAt)}` : `it has shown ${isoTime(latestTime)}`;
    const message = `The clock of this machine was set back: it shows ${isoTime(now)}, but ${known}`;
    const wasAhead = `If it is right now and was ahead before, run: latchkey license fetch. Without a connection, remove ${clockFile}`;
    const hint = `Set the clock, then try again.${isBehind ? '' : ` ${wasAhead}`}`;
    return { ok: false, failure: licenseInvalid(EXIT.clockRolledBack, 'clock_rolled_back', message, { hint }) };
  }
  if (now >= exp * 1_000) {
    const message = `The offline license expired at ${isoTime(exp * 1_000)}`;
    return { ok: false, failure: licenseInvalid(EXIT.licenseExpired, 'offline_license_expired', message, { hint: FETCH }) };
  }
  return { ok: true, value: claims };
};
