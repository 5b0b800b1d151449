import { z } from 'zod';
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from '../domain/limits.ts';
import { email, instant, text } from './fields.ts';
import { machineId, machineName } from './machines.ts';
import { ok } from './replies.ts';

const USER_CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`, 'i');

/** A code as a user typed it, in any case, with or without the hyphen and blanks; after parsing 8 capitals. */
const userCode = z
  .string('Enter the code that the terminal shows')
  .max(40, 'Must be a code like BDWK-HQPX')
  .transform((typed) => typed.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(USER_CODE, 'Must be a code like BDWK-HQPX: letters, without vowels'))
  .transform((code) => code.toUpperCase());

const HALF = USER_CODE_LENGTH / 2;

/** A code as users read it: `BDWK-HQPX`. */
export const shownUserCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** The body of `POST /api/cli/device`. `email` limits who may approve to the user with this address. */
export const beginDevice = z.strictObject({ machineId, machineName: machineName.optional(), email: email.optional() });
export type BeginDevice = z.infer<typeof beginDevice>;

/** A started device authorization (RFC 8628, section 3.2). */
export const beginDeviceReply = ok({
  /** For the tool only: who holds it signs in once the user has approved. */
  deviceCode: z.string(),
  /** For the user, to type or to compare. */
  userCode: z.string(),
  verificationUri: z.string(),
  /** `verificationUri` with the code. */
  verificationUriComplete: z.string(),
  /** Seconds until the codes expire, and between two polls. */
  expiresIn: z.int(),
  interval: z.int(),
});
export type BeginDeviceReply = z.infer<typeof beginDeviceReply>;

/** The body of `POST /api/cli/device/token`, with which the tool asks for the user's decision. */
export const pollDevice = z.strictObject({ deviceCode: text(100) });

/** The body of the calls by which a user sees and decides the request of a code. */
export const ofUserCode = z.strictObject({ userCode });

const deviceRequest = z.object({
  userCode: z.string(),
  /** Each is null where it is unknown. */
  machineName: z.string().nullable(),
  address: z.string().nullable(),
  system: z.string().nullable(),
  requestedAt: instant,
  expiresAt: instant,
  /** Whether it comes from the address of the browser that asks. */
  isSameAddress: z.boolean(),
});
/** What a user compares before the decision. */
export type DeviceRequest = z.infer<typeof deviceRequest>;

/** The reply of `POST /api/customer/device-requests/lookup`. */
export const deviceRequestReply = ok({ request: deviceRequest });
export type DeviceRequestReply = z.infer<typeof deviceRequestReply>;
