import type { Customer } from '../../../src/contracts/customers.ts';
import { DEFAULT_PLAN } from '../../../src/domain/limits.ts';

/** The tier of a license, with the name of its plan unless that is the built-in one. */
export const tierOf = ({ tier, plan }: Customer): string => (plan ? `${plan.code} · ${plan.name}` : tier || DEFAULT_PLAN);
