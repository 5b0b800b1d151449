import type {
  PasskeyAssertion,
  PasskeyCreationReply,
  PasskeyRegistration,
  PasskeyRequestReply,
} from '../../../../../src/contracts/passkeys.ts';
import { ApiError } from '../../../api/error.ts';
import { passkeyTexts as texts } from '../texts.ts';

const BY_CODE: Readonly<Record<string, string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: texts.exists,
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: texts.unsuitable,
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: texts.unsuitable,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: texts.unsuitable,
};

/** Why the browser used no passkey, as a failed call: forms show it as they show what the server refuses. */
const explained = (error: unknown): ApiError => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isCancelled = name === 'NotAllowedError' || name === 'AbortError';
  const text = BY_CODE[code] ?? (isCancelled ? texts.cancelled : `${texts.failed}: ${message}`);
  return new ApiError(text, { status: 400, code: 'passkey_unused' });
};

const library = () => import('@simplewebauthn/browser');

/** Lets the browser create a passkey. Throws an `ApiError` where it does not. */
export const createPasskey = async ({ options }: PasskeyCreationReply): Promise<PasskeyRegistration> => {
  const { startRegistration } = await library();
  const { response } = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    throw explained(error);
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { clientDataJSON, attestationObject, transports };
};

/** Lets the browser use a passkey. Throws an `ApiError` where it does not. */
export const signWithPasskey = async ({ options }: PasskeyRequestReply): Promise<PasskeyAssertion> => {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw explained(error);
  });
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle };
};
