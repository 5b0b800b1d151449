import type { CredentialRefusal } from './credential/decider.ts';
import type { CustomerRefusal } from './customer/decider.ts';
import type { IntegratorRefusal } from './integrator/decider.ts';
import type { ThemeRefusal } from './theme/decider.ts';

/** Every refusal of the domain. The codes are part of the API. */
export type Refusal = CustomerRefusal | IntegratorRefusal | ThemeRefusal | CredentialRefusal;
