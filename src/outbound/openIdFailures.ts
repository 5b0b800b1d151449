import { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import type { Failure } from './failure.ts';
import { failureText } from './verdict.ts';

/** A request to the provider got no answer. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly failure: Failure;
  readonly address: URL;
  constructor(failure: Failure, address: URL) {
    super(`No answer from ${address.host}: ${failure.kind}`);
    this.failure = failure;
    this.address = address;
  }
}

/** The provider cannot be used. The message is a sentence for users. */
export class NotUsable extends Error {
  override readonly name = 'NotUsable';
}

/** A known code of OAuth, and the sentence for it; any other one is not shown, since a hostile provider chooses its text. */
const oauthErrors: Readonly<Record<string, string>> = {
  access_denied: 'The identity provider refused the sign-in, or you canceled it.',
  login_required: 'The identity provider asks you to sign in again.',
  consent_required: 'The identity provider needs your consent. Sign in again and allow it.',
  interaction_required: 'The identity provider needs something from you. Sign in again.',
  temporarily_unavailable: 'The identity provider is not available at the moment. Try again later.',
  server_error: 'The identity provider failed. Try again later.',
  invalid_client: 'The identity provider does not accept the client ID or the client secret.',
  unauthorized_client: 'The identity provider does not allow this client to sign users in with an authorization code.',
  invalid_grant: 'The identity provider did not accept the code, which is valid once and for a short time. Sign in again.',
  invalid_scope: 'The identity provider does not allow the scopes openid, email and profile.',
  unsupported_response_type: 'The identity provider does not allow the authorization code flow for this client.',
};
const UNKNOWN_ERROR = 'The identity provider ended the sign-in with an error.';

/** Sentences for the codes of `openid-client`. */
const byCode: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The identity provider replied with another status than the standard demands. Check the issuer.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The reply is not JSON, so this is not the address of an identity provider. Check the issuer.',
  OAUTH_PARSE_ERROR: 'The reply is not JSON, so this is not the address of an identity provider. Check the issuer.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The provider names another issuer. Enter the issuer exactly as the provider does.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The ID token is for another sign-in, client or issuer.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The ID token has expired or is not valid yet. Check the clocks of both servers.',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'The configuration of the provider names an address without https.',
  OAUTH_UNSUPPORTED_OPERATION: 'The ID token is signed with an algorithm that is not supported. Use RS256 or ES256.',
  OAUTH_KEY_SELECTION_FAILED: 'The ID token is signed with a key that the provider does not publish.',
  OAUTH_TIMEOUT: 'The identity provider did not reply in time. Try again later.',
};
const INVALID = 'The identity provider sent a reply that is not valid.';

const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

/** Why a sign-in failed, as a sentence for users. Rethrows an error that neither the provider nor the network caused, because it is a bug. */
export const failedAtProvider = (error: unknown, { issuer }: { issuer: string }): string => {
  const causes = causesOf(error);
  const unreachable = causes.find((cause) => cause instanceof Unreachable);
  if (unreachable) return failureText(unreachable.failure, unreachable.address, { name: 'an identity provider', field: 'issuer' });
  if (error instanceof NotUsable) return error.message;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return oauthErrors[error.error] ?? UNKNOWN_ERROR;
  if (error instanceof WWWAuthenticateChallengeError) return oauthErrors.invalid_client ?? UNKNOWN_ERROR;
  if (!(error instanceof ClientError)) throw error;
  const status = causes.find((cause) => cause instanceof Response)?.status;
  if (status === 404) return `There is no configuration below ${new URL(issuer).host} (404). Check the issuer.`;
  return byCode[error.code ?? ''] ?? INVALID;
};
