import type { Customer } from '../../../../src/contracts/customers.ts';
import { wholeNumber } from '../../lib/numbers.ts';

/** The limit of machines for a user as it is typed; empty where the license has none. */
export const typedLimit = ({ machineLimit }: Customer): string => (machineLimit === undefined ? '' : String(machineLimit));

/** The limit that was typed; null without one. */
export const limitIn = (typed: string): number | null => (typed.trim() === '' ? null : wholeNumber(typed));
