import type { DispatchRefusal } from '../../commands/outcome.ts';
import type { Issue } from '../../contracts/issues.ts';
import type { Problem } from '../../contracts/replies.ts';
import type { Refusal } from '../../domain/refusals.ts';

/** What the edge itself refuses, before or beside the domain. */
export type EdgeCode =
  | 'validation_failed'
  | 'invalid_json'
  | 'invalid_request'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'not_found'
  | 'session_required'
  | 'forbidden'
  | 'origin_refused'
  | 'unknown_host'
  | 'wrong_admin_key'
  | 'unknown_license_key'
  | 'unknown_master_license_key'
  | 'too_many_attempts'
  | 'customer_churned'
  | 'integrator_suspended'
  | 'integrator_closed'
  | 'theme_unknown'
  | 'theme_inactive'
  | 'integrator_unknown'
  | 'custom_domain_taken'
  | 'idempotency_key_reused'
  | 'idempotency_key_invalid'
  | 'idempotency_in_progress'
  | 'precondition_invalid'
  | 'overloaded'
  | 'unavailable'
  | 'request_timeout'
  | 'internal_error';

export type ProblemCode = Refusal | DispatchRefusal | EdgeCode;

/** Every code with its HTTP status and the text that people see. 401 always means: no live session. */
const problems: Record<ProblemCode, readonly [status: number, text: string]> = {
  customer_not_found: [404, 'Customer not found'],
  customer_deleted: [409, 'This customer was deleted'],
  customer_suspended: [403, 'This license is suspended. Ask your service integrator or your administrator to reactivate it.'],
  customer_churned: [403, 'This license has ended. Ask your service integrator or your administrator for a new one.'],
  customer_not_active: [409, 'The customer is not active. Reactivate it first.'],
  wrong_current_password: [400, 'The current password is wrong. As long as no password was set, it is the license key.'],
  user_not_found: [404, 'User not found'],
  user_suspended: [403, 'This user is suspended. Ask whoever manages your users to activate it.'],
  user_inactive: [403, 'This user is inactive. Ask whoever manages your users to activate it.'],
  username_taken: [409, 'Another user of this customer has this username. Choose another one.'],
  email_taken: [409, 'Another user of this customer has this e-mail address. Choose another one.'],
  seat_limit_reached: [409, 'Every seat of this kind is taken. Free one, or ask for more seats.'],
  integrator_not_found: [404, 'Service integrator not found'],
  integrator_deleted: [409, 'This service integrator was deleted'],
  integrator_churned: [409, 'This service integrator has churned: it gets no new customers and no branding. Reactivate it first.'],
  integrator_has_customers: [409, 'Cannot delete service integrator with customers. Delete its customers first.'],
  theme_not_found: [404, 'Theme not found'],
  theme_deleted: [409, 'This theme was deleted'],
  theme_name_taken: [409, 'There is a theme of this name already. Choose another name.'],
  theme_name_reserved: [409, 'This theme name is reserved. Choose another name.'],
  theme_is_default: [409, 'This is the default theme. Set another theme as default first.'],
  credential_not_found: [404, 'Credential not found'],
  credential_deleted: [409, 'This credential was deleted'],
  secret_required: [400, 'A new instance URL needs the password and the API token again'],
  revision_changed: [412, 'This was changed by somebody else since you loaded it. Load it again and repeat your change.'],

  validation_failed: [400, 'The request is not valid'],
  invalid_json: [400, 'The body is not valid JSON in UTF-8'],
  invalid_request: [400, 'The request is not valid HTTP'],
  body_too_large: [413, 'The body is larger than 1 MiB'],
  unsupported_media_type: [415, 'Send the body as application/json'],
  not_found: [404, 'Not found'],
  session_required: [401, 'Please sign in'],
  forbidden: [403, 'Your session may not do this'],
  origin_refused: [403, 'Requests from this origin are refused'],
  unknown_host: [421, 'This server does not answer for this host name. Add it to PUBLIC_ORIGINS.'],
  wrong_admin_key: [401, 'The admin key is wrong'],
  unknown_license_key: [401, 'This license key is not known'],
  unknown_master_license_key: [401, 'This master license key is not known'],
  too_many_attempts: [429, 'Too many failed sign-ins. Wait a minute and try again.'],
  integrator_suspended: [403, 'This service integrator is suspended. Ask your administrator to reactivate it.'],
  integrator_closed: [403, 'This service integrator account has ended. Ask your administrator to reactivate it.'],
  theme_unknown: [400, 'There is no such theme to choose'],
  theme_inactive: [409, 'This theme is inactive. Activate it first.'],
  integrator_unknown: [400, 'There is no such service integrator'],
  custom_domain_taken: [409, 'This custom domain is in use by somebody else'],
  idempotency_key_reused: [409, 'This Idempotency-Key was used for another request. Use a new one.'],
  idempotency_key_invalid: [400, 'Idempotency-Key must be 1 to 200 visible ASCII characters'],
  idempotency_in_progress: [503, 'The first request with this Idempotency-Key is still at work. Try again.'],
  precondition_invalid: [400, 'If-Match must be the ETag of an earlier reply'],
  overloaded: [503, 'The server is busy. Try again in a moment.'],
  unavailable: [503, 'The server cannot reach its stores. Try again in a moment.'],
  request_timeout: [408, 'The request took too long to arrive'],
  internal_error: [500, 'Something went wrong on the server'],
};

/** Seconds after which a refused request may be sent again, where the refusal does not know better. */
const RETRY_AFTER: Partial<Record<ProblemCode, number>> = {
  too_many_attempts: 60,
  idempotency_in_progress: 1,
  overloaded: 1,
  unavailable: 2,
};

/** A refusal on its way to the client. `text` replaces the code's own text where more can be said. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  /** Whole seconds. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, detail: { text?: string; issues?: readonly Issue[]; retryAfter?: number } = {}) {
    super(detail.text ?? problems[code][1]);
    this.code = code;
    this.status = problems[code][0];
    this.issues = detail.issues;
    this.retryAfter = detail.retryAfter ?? RETRY_AFTER[code];
  }

  get body(): Problem {
    return {
      success: false,
      error: this.message,
      code: this.code,
      ...(this.issues && { issues: [...this.issues] }),
    };
  }
}
