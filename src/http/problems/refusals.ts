import type { RevisionRefusal } from '../../commands/commandHandler.ts';
import type { CredentialRefusal } from '../../domain/credential/decider.ts';
import type { CustomerRefusal } from '../../domain/customer/decider.ts';
import type { IntegratorRefusal } from '../../domain/integrator/decider.ts';
import { MAX_PASSKEYS } from '../../domain/limits.ts';
import type { AlertRefusal } from '../../domain/operations/alerts.ts';
import type { PlanRefusal } from '../../domain/plan/decider.ts';
import type { SeatLeaseRefusal } from '../../domain/seatLeases/decider.ts';
import type { TeamRefusal } from '../../domain/team/decider.ts';
import type { ThemeRefusal } from '../../domain/theme/decider.ts';

/** Why the domain refuses a command. */
export type Refusal =
  | CustomerRefusal
  | IntegratorRefusal
  | ThemeRefusal
  | CredentialRefusal
  | TeamRefusal
  | AlertRefusal
  | PlanRefusal
  | SeatLeaseRefusal
  | RevisionRefusal;

/** Every refusal of the domain with its HTTP status and message. 401 always means that there is no valid session. */
export const refusals: Record<Refusal, readonly [status: number, text: string]> = {
  customer_not_found: [404, 'Customer not found'],
  customer_deleted: [409, 'This customer was deleted'],
  customer_suspended: [403, 'This license is suspended. Ask your service integrator or your administrator to reactivate it.'],
  customer_not_active: [409, 'The customer is not active. Reactivate it first.'],
  license_expired: [403, 'This license has expired. Ask your service integrator or your administrator to renew it.'],
  external_id_taken: [409, 'Another customer has this external ID. Choose another one, or update that customer.'],
  license_perpetual: [409, 'This license has no term: it does not expire. Set a term first.'],
  term_starts_later: [400, 'The term must start now or earlier. Choose an earlier start.'],
  term_without_duration: [400, 'The term must expire after it starts. Choose a later expiry.'],
  term_too_long: [400, 'The term must expire within 100 years. Choose an earlier expiry, or leave the license perpetual.'],
  term_over: [400, 'The license would have expired already. Choose a later expiry, or suspend the customer.'],
  void_limit_reached: [
    409,
    'The calls of this customer were voided 500 times, the maximum. Correct the tool that records calls by mistake.',
  ],
  no_calls_to_void: [
    409,
    'This source has no recorded calls in this range, so nothing was voided. Check the source, the numbers and the times in the list of API calls.',
  ],
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
  machine_limit_reached: [
    409,
    'This user has reached the machine limit of the license. Remove a machine first: run "latchkey devices revoke ID", or choose Machines of the user in the console.',
  ],
  offline_license_limit_reached: [
    409,
    'This user has offline licenses for as many machines as the license allows. Wait until one of them expires, or use one of these machines.',
  ],
  username_taken: [409, 'Another user of this customer has this username. Choose another one.'],
  username_hidden_characters: [400, 'The username contains invisible characters. Type it again without them.'],
  email_taken: [409, 'Another user of this customer has this email address. Choose another one.'],
  seat_held_offline: [
    409,
    'An offline license of this user holds the seat until it expires, because it cannot be revoked. Deactivate the user if the seat must be free before.',
  ],
  seat_limit_reached: [409, 'Every seat of this kind is taken. Free one, or ask for more seats.'],
  integrator_not_found: [404, 'Service integrator not found'],
  integrator_deleted: [409, 'This service integrator was deleted'],
  integrator_not_active: [409, 'This service integrator is suspended. Reactivate it first, or choose another one.'],
  same_integrator: [409, 'The customer belongs to this service integrator already. Choose another one.'],
  customer_moved: [409, 'The customer moved to another service integrator after you loaded it. Reload it first.'],
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
  alert_rule_not_found: [404, 'Alert rule not found'],
  alert_rule_limit_reached: [409, 'There are 50 alert rules, the maximum. Remove one first.'],
  license_without_plan: [409, 'This license has the built-in plan, which does not change.'],
  plan_not_found: [404, 'Plan not found'],
  plan_exists: [409, 'A plan with this code exists, or was retired. Choose another code.'],
  plan_built_in: [409, 'The plan ENT is built in. Create another plan instead.'],
  plan_retired: [409, 'This plan is retired. Choose another plan.'],
  plan_term_missing: [400, 'Days of grace and a trial need a term. Enter a term, or remove both.'],
  plan_limit_reached: [409, 'There are 100 plans with those that are retired, the maximum. Change a plan instead.'],
  member_not_found: [404, 'Named user not found'],
  member_exists: [409, 'This named user has joined already'],
  member_email_taken: [409, 'Another named user has this email address. Use another one.'],
  member_limit_reached: [409, 'There are 1,000 named users, the maximum. Remove one first.'],
  role_unknown: [400, 'This role does not exist here. Choose another one.'],
  own_role: [409, 'You cannot give yourself more permissions. Ask another owner.'],
  last_owner: [409, 'This is the last owner or admin. Give another named user this role first.'],
  invitation_not_found: [404, 'This invitation was used, replaced or withdrawn. Ask for a new one.'],
  invitation_expired: [409, 'This invitation has expired. Ask for a new one.'],
  wrong_code: [401, 'The code is wrong or was used already. Wait for the next one.'],
  key_sign_in_off: [403, 'Sign-in with the key is turned off. Sign in with your account.'],
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
  api_token_not_found: [404, 'API token not found'],
  api_token_name_taken: [409, 'Another API token has this name. Choose another one.'],
  api_token_limit_reached: [409, 'There are 100 API tokens, the maximum. Revoke one first.'],
  api_token_scopes_refused: [
    400,
    'An API token can only have permissions that you have, and none that creates further access or reads keys.',
  ],
  api_token_expiry_refused: [400, 'An API token must expire in the future, and within one year.'],
  revision_changed: [412, 'Someone else changed this after you loaded it. Reload it and repeat your change.'],
};
