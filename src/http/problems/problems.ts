import type { RevisionRefusal } from '../../commands/commandHandler.ts';
import type { Issue } from '../../contracts/issues.ts';
import type { RequestedApproval } from '../../contracts/machines.ts';
import type { Problem } from '../../contracts/replies.ts';
import type { CredentialRefusal } from '../../domain/credential/decider.ts';
import type { CustomerRefusal } from '../../domain/customer/decider.ts';
import type { IntegratorRefusal } from '../../domain/integrator/decider.ts';
import { MAX_PASSKEYS } from '../../domain/limits.ts';
import type { TeamRefusal } from '../../domain/team/decider.ts';
import type { ThemeRefusal } from '../../domain/theme/decider.ts';
import { MAX_ADDRESS, MAX_DEPTH, MAX_FIELDS } from '../requests/limits.ts';

/** What the edge itself refuses, before or beside the domain. */
export type EdgeCode =
  | 'validation_failed'
  | 'invalid_json'
  | 'invalid_request'
  | 'body_too_large'
  | 'body_too_complex'
  | 'address_too_long'
  | 'unsupported_media_type'
  | 'not_found'
  | 'session_required'
  | 'forbidden'
  | 'reauthentication_required'
  | 'proof_unavailable'
  | 'session_not_found'
  | 'origin_refused'
  | 'unknown_host'
  | 'wrong_admin_key'
  | 'wrong_email_or_password'
  | 'wrong_own_password'
  | 'wrong_passkey'
  | 'wrong_own_passkey'
  | 'passkey_not_confirmed'
  | 'passkey_expired'
  | 'passkey_required'
  | 'passkeys_unavailable'
  | 'code_required'
  | 'code_not_confirmed'
  | 'member_required'
  | 'key_sign_in_off'
  | 'unknown_license_key'
  | 'password_required'
  | 'wrong_password'
  | 'password_too_weak'
  | 'unknown_master_license_key'
  | 'too_many_attempts'
  | 'customer_churned'
  | 'integrator_suspended'
  | 'integrator_closed'
  | 'theme_unknown'
  | 'theme_inactive'
  | 'integrator_unknown'
  | 'custom_domain_taken'
  | 'custom_domain_reserved'
  | 'logo_unavailable'
  | 'api_token_malformed'
  | 'api_token_unknown'
  | 'api_token_revoked'
  | 'api_token_expired'
  | 'api_token_address_refused'
  | 'idempotency_key_reused'
  | 'idempotency_key_invalid'
  | 'idempotency_in_progress'
  | 'precondition_invalid'
  | 'too_many_tests'
  | 'identity_provider_unusable'
  | 'openid_domain_unknown'
  | 'openid_state_invalid'
  | 'openid_failed'
  | 'openid_email_unverified'
  | 'openid_domain_foreign'
  | 'overloaded'
  | 'unavailable'
  | 'request_timeout'
  | 'internal_error';

/** Every code of a failed request: refusals of the domain, a changed revision, and errors of the HTTP layer. */
export type ProblemCode =
  | CustomerRefusal
  | IntegratorRefusal
  | ThemeRefusal
  | CredentialRefusal
  | TeamRefusal
  | RevisionRefusal
  | EdgeCode;

/** Every code with its HTTP status and message. 401 always means that there is no valid session. */
const problems: Record<ProblemCode, readonly [status: number, text: string]> = {
  customer_not_found: [404, 'Customer not found'],
  customer_deleted: [409, 'This customer was deleted'],
  customer_suspended: [403, 'This license is suspended. Ask your service integrator or your administrator to reactivate it.'],
  customer_churned: [403, 'This license has ended. Ask your service integrator or your administrator for a new one.'],
  customer_not_active: [409, 'The customer is not active. Reactivate it first.'],
  wrong_current_password: [400, "The current password is wrong. If you haven't set a password, enter your license key."],
  user_not_found: [404, 'User not found'],
  user_changed: [412, 'Someone else changed this user since then. Check the user, then change it again if needed.'],
  user_suspended: [403, 'This user is suspended. Ask the person who manages your users to activate it.'],
  user_inactive: [403, 'This user is inactive. Ask the person who manages your users to activate it.'],
  role_not_allowed: [
    403,
    "Your role is stakeholder, which has portal access only. Ask your company's license owner or your service integrator to change your role to developer.",
  ],
  machine_approval_required: [403, 'This machine needs approval before it can sign in as this user.'],
  machine_rejected: [403, 'The sign-in of this machine was rejected. It can request approval again after 24 hours.'],
  machine_not_approved: [403, 'This machine is not approved for your user. Run latchkey login on it.'],
  machine_not_found: [404, 'Machine not found'],
  machine_request_not_found: [404, 'This request was already decided, has expired or does not exist. List the requests again.'],
  machine_requests_exhausted: [
    403,
    'Too many machines requested approval for this user within 24 hours. Approve one of them, or wait until a request expires.',
  ],
  machine_limit_reached: [409, 'This user already has 20 machines, the maximum. Remove one first.'],
  username_taken: [409, 'Another user of this customer has this username. Choose another one.'],
  username_hidden_characters: [400, 'The username contains invisible characters. Type it again without them.'],
  email_taken: [409, 'Another user of this customer has this email address. Choose another one.'],
  seat_limit_reached: [409, 'Every seat of this kind is taken. Free one, or ask for more seats.'],
  integrator_not_found: [404, 'Service integrator not found'],
  integrator_deleted: [409, 'This service integrator was deleted'],
  integrator_churned: [409, 'This service integrator has churned and cannot have new customers or branding. Reactivate it first.'],
  integrator_has_customers: [409, 'Cannot delete service integrator with customers. Delete its customers first.'],
  theme_not_found: [404, 'Theme not found'],
  theme_deleted: [409, 'This theme was deleted'],
  theme_name_taken: [409, 'A theme with this name already exists. Choose another name.'],
  theme_name_reserved: [409, 'This theme name is reserved. Choose another name.'],
  theme_is_default: [409, 'This is the default theme. Set another theme as default first.'],
  credential_not_found: [404, 'Credential not found'],
  credential_deleted: [409, 'This credential was deleted'],
  secret_required: [400, 'Enter the password and the API token again for a new instance URL.'],
  secret_missing: [400, 'A credential needs a password, or for Jira an API token. Enter one of them.'],
  member_not_found: [404, 'Named user not found'],
  member_exists: [409, 'This named user has joined already'],
  member_email_taken: [409, 'Another named user has this email address. Use another one.'],
  member_limit_reached: [409, 'There are 1,000 named users, the maximum. Remove one first.'],
  role_unknown: [400, 'This role does not exist here. Choose another one.'],
  own_role: [409, 'You cannot give yourself more permissions. Ask another owner.'],
  last_owner: [409, 'This is the last owner. Make another named user an owner first.'],
  invitation_not_found: [404, 'This invitation was used, replaced or withdrawn. Ask for a new one.'],
  invitation_expired: [409, 'This invitation has expired. Ask for a new one.'],
  second_factor_required: [409, 'A second factor is required. Add a passkey or turn on one-time passwords.'],
  owners_without_second_factor: [409, 'Sign-in with the key can be off only while two owners have a second factor.'],
  members_without_second_factor: [
    409,
    'Not all named users have a second factor. Ask them to add a passkey or to turn on one-time passwords first.',
  ],
  passkey_exists: [409, 'This passkey was added already'],
  passkey_not_found: [404, 'Passkey not found'],
  passkey_limit_reached: [409, `You have ${MAX_PASSKEYS} passkeys, the maximum. Remove one first.`],
  last_sign_in_method: [409, 'Nothing else signs you in. Add another passkey or set a password first.'],
  identity_provider_not_found: [404, 'OpenID Connect is not set up here. Set it up first, or sign in another way.'],
  identity_provider_secret_required: [400, 'Enter the client secret. It is needed again for another issuer or client ID.'],
  identity_without_member: [403, 'There is no account for you here yet. Ask an owner of your team to invite you.'],
  identity_of_other: [
    403,
    'Your account here is linked to another account of your identity provider. Ask an owner of your team to remove and invite you.',
  ],
  identity_without_role: [403, 'Your identity provider gives you no role here. Ask the person who manages its groups.'],
  identity_without_second_factor: [
    403,
    'Your team requires a second factor, and your identity provider did not report one. Sign in with your password and a code.',
  ],
  api_token_malformed: [401, 'This is not a complete API token. Copy it again.'],
  api_token_unknown: [401, 'Unknown API token'],
  api_token_revoked: [401, 'This API token was revoked. Create a new one.'],
  api_token_expired: [401, 'This API token has expired. Create a new one.'],
  api_token_address_refused: [403, 'This API token does not accept requests from this address.'],
  api_token_not_found: [404, 'API token not found'],
  api_token_name_taken: [409, 'Another API token has this name. Choose another one.'],
  api_token_limit_reached: [409, 'There are 100 API tokens, the maximum. Revoke one first.'],
  api_token_scopes_refused: [400, 'An API token can only have permissions that you have, and none that creates further access.'],
  api_token_expiry_refused: [400, 'An API token must expire in the future, and within one year.'],
  revision_changed: [412, 'Someone else changed this after you loaded it. Reload it and repeat your change.'],

  validation_failed: [400, 'The request is not valid'],
  invalid_json: [400, 'The body is not valid JSON in UTF-8'],
  invalid_request: [400, 'The request is not valid HTTP'],
  body_too_large: [413, 'The body is larger than this endpoint accepts. Send less in one request.'],
  body_too_complex: [
    400,
    `The body nests deeper than ${MAX_DEPTH} levels, or an object in it has more than ${MAX_FIELDS} fields. Send only what this endpoint accepts.`,
  ],
  address_too_long: [
    414,
    `The address is longer than ${MAX_ADDRESS.toLocaleString('en-US')} characters. Send a shorter search or cursor.`,
  ],
  unsupported_media_type: [415, 'Send the body as application/json'],
  not_found: [404, 'Not found'],
  session_required: [401, 'Please sign in'],
  forbidden: [403, 'Your session is not allowed to do this'],
  reauthentication_required: [403, 'Confirm that it is you: your last sign-in is more than 10 minutes ago.'],
  proof_unavailable: [409, 'Your session cannot be confirmed in this way. Sign out, then sign in again.'],
  session_not_found: [404, 'This session has ended or does not exist. List the sessions again.'],
  origin_refused: [403, 'Requests from this origin are refused'],
  unknown_host: [421, 'This server does not serve this host name. Add it to PUBLIC_ORIGINS.'],
  wrong_admin_key: [401, 'The admin key is wrong'],
  wrong_email_or_password: [401, 'The email address or the password is wrong'],
  wrong_own_password: [400, 'The current password is wrong'],
  wrong_passkey: [401, 'This passkey does not sign in here. Use another passkey, or sign in another way.'],
  wrong_own_passkey: [400, 'This passkey is not one of yours here. Use another one.'],
  passkey_not_confirmed: [400, 'The passkey could not be verified. Add it again.'],
  passkey_expired: [400, 'More than 5 minutes passed before the passkey was used. Try again.'],
  passkey_required: [403, 'A second factor is required. Sign in with your passkey.'],
  passkeys_unavailable: [409, 'Passkeys need a host name. Open the console by its name, not by its IP address.'],
  code_required: [401, 'Enter the code of your authenticator app, or a recovery code.'],
  wrong_code: [401, 'The code is wrong or was used already. Wait for the next one.'],
  code_not_confirmed: [400, 'The code does not belong to this secret. Enter the code that your authenticator app shows now.'],
  member_required: [403, 'You signed in with a key. Sign in with your account first.'],
  key_sign_in_off: [403, 'Sign-in with the key is turned off. Sign in with your account.'],
  unknown_license_key: [401, 'Unknown license key'],
  password_required: [401, 'This account is protected by a password. Send it with the license key.'],
  wrong_password: [401, 'The password is wrong. Your service integrator or administrator can reset it.'],
  password_too_weak: [400, 'This password is easy to guess. Use several unrelated words, and none about your company.'],
  unknown_master_license_key: [401, 'Unknown master license key'],
  too_many_attempts: [429, 'Too many failed sign-ins. Wait a minute and try again.'],
  integrator_suspended: [403, 'This service integrator is suspended. Ask your administrator to reactivate it.'],
  integrator_closed: [403, 'This service integrator account has ended. Ask your administrator to reactivate it.'],
  theme_unknown: [400, 'Unknown theme. Choose another one.'],
  theme_inactive: [409, 'This theme is inactive. Activate it first.'],
  integrator_unknown: [400, 'Unknown service integrator'],
  custom_domain_taken: [409, 'Another service integrator has verified this custom domain. Use another domain.'],
  logo_unavailable: [404, 'There is no image at this address. Use the https address of a PNG, SVG or JPG of at most 256 KiB.'],
  custom_domain_reserved: [400, 'This custom domain belongs to the license server itself. Use another domain.'],
  idempotency_key_reused: [409, 'This Idempotency-Key was used for another request. Use a new one.'],
  idempotency_key_invalid: [400, 'Idempotency-Key must be 1 to 200 visible ASCII characters'],
  idempotency_in_progress: [503, 'The first request with this Idempotency-Key is still in progress. Try again.'],
  precondition_invalid: [400, 'If-Match must be the ETag of an earlier reply'],
  identity_provider_unusable: [400, 'This identity provider cannot be used. Check the issuer.'],
  openid_domain_unknown: [
    404,
    'There is no sign-in with OpenID Connect for this email address. Check the address, or sign in another way.',
  ],
  openid_state_invalid: [403, 'This sign-in has expired, was used already or began in another browser. Sign in again.'],
  openid_failed: [403, 'The sign-in at the identity provider failed. Sign in again.'],
  openid_email_unverified: [
    403,
    'Your identity provider has not verified your email address. Verify it there, then sign in again.',
  ],
  openid_domain_foreign: [403, 'The domain of your email address does not belong to this identity provider. Sign in another way.'],
  too_many_tests: [429, 'Too many connection tests are running. Try again in a few seconds.'],
  overloaded: [503, 'The server is busy. Try again in a moment.'],
  unavailable: [503, 'The server cannot reach its stores. Try again in a moment.'],
  request_timeout: [408, 'The request took too long to arrive'],
  internal_error: [500, 'Something went wrong on the server'],
};

/** Seconds after which a refused request may be sent again, where the refusal does not know better. */
const RETRY_AFTER: Partial<Record<ProblemCode, number>> = {
  too_many_attempts: 60,
  idempotency_in_progress: 1,
  too_many_tests: 5,
  overloaded: 1,
  unavailable: 2,
};

/** A refusal on its way to the client. `text` replaces the code's own text where more can be said. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  /** Issues that are not listed. */
  readonly moreIssues: number | undefined;
  readonly approval: RequestedApproval | undefined;
  /** Whole seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ProblemCode,
    detail: {
      text?: string;
      issues?: readonly Issue[];
      moreIssues?: number;
      retryAfter?: number;
      approval?: RequestedApproval;
    } = {},
  ) {
    super(detail.text ?? problems[code][1]);
    this.code = code;
    this.status = problems[code][0];
    this.issues = detail.issues;
    this.moreIssues = detail.moreIssues;
    this.approval = detail.approval;
    this.retryAfter = detail.retryAfter ?? RETRY_AFTER[code];
  }

  get body(): Problem {
    return {
      success: false,
      error: this.message,
      code: this.code,
      ...(this.issues && { issues: [...this.issues] }),
      ...(this.moreIssues !== undefined && { moreIssues: this.moreIssues }),
      ...(this.approval && { approval: this.approval }),
    };
  }
}
