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

const forged = (message: string): Failure => licenseInvalid(EXIT.licenseForged, 'offline_license_forged', message, { hint: FETCH });

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
 * time that the clock of this machine has shown. Times are in epoch ms.
 */
export const verifyOfflineLicense = async (
  file: OfflineLicenseFile,
  { fingerprint, now, latestTime }: Readonly<{ fingerprint: string; now: number; latestTime: number }>,
): Promise<Answer<OfflineLicenseClaims>> => {
  const parsed = offlineLicenseClaims.safeParse(await signedClaims(file.license, file.keys, OFFLINE_LICENSE_TYPE));
  if (!parsed.success) {
    return { ok: false, failure: forged('The offline license is not signed by the server, or was changed') };
  }
  const claims = parsed.data;
  const { machine, iat, exp } = claims;
  if (machine.fingerprint !== fingerprint) {
    const message = `The offline license is for another machine (fingerprint ${machine.fingerprint}; this machine has ${fingerprint})`;
    return { ok: false, failure: licenseInvalid(EXIT.wrongMachine, 'offline_license_wrong_machine', message, { hint: FETCH }) };
  }
  const latest = Math.max(latestTime, iat * 1_000);
  if (now < latest - CLOCK_TOLERANCE_MS) {
    const message = `The clock of this machine was set back: it shows ${isoTime(now)}, but it has shown ${isoTime(latest)}`;
    const hint = `Set the clock, then try again. If the clock was wrong before: ${FETCH}`;
    return { ok: false, failure: licenseInvalid(EXIT.clockRolledBack, 'clock_rolled_back', message, { hint }) };
  }
  if (now >= exp * 1_000) {
    const message = `The offline license expired at ${isoTime(exp * 1_000)}`;
    return { ok: false, failure: licenseInvalid(EXIT.licenseExpired, 'offline_license_expired', message, { hint: FETCH }) };
  }
  return { ok: true, value: claims };
};
