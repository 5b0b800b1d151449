import type { Customer } from '../../../src/contracts/customers.ts';

/** The tier of a license, with the name of its plan unless that is the built-in one. */
export const tierOf = ({ tier, plan }: Customer): string => (plan ? `${plan.code} · ${plan.name}` : tier || 'ENT');
