import { useQuery } from '@tanstack/react-query';
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { MAX_SEATS, UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { customerImpactQuery } from '../api/impact.ts';
import { effectsOnSeats } from '../effects.ts';
import { Effects, usersOf } from './Effects.tsx';

type Typed = { developerSeats: string; stakeholderSeats: string; seatLimitsEnforced: boolean };

/** The number of seats that was typed, if it is another one; undefined for what is no number of seats. */
const changedTo = (typed: string, before: number): number | undefined => {
  const seats = /^-?\d+$/.test(typed.trim()) ? Number(typed) : before;
  return seats === before || seats < UNLIMITED_SEATS || seats > MAX_SEATS ? undefined : seats;
};

type SeatEffectsProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  manager: CustomerManager;
  customer: Customer;
};

/** In the form of a customer, what the typed seats mean for its users; nothing while they are as they were. */
export const SeatEffects = <Values extends FieldValues & Typed, Output>({
  control,
  manager,
  customer,
}: SeatEffectsProps<Values, Output>) => {
  const developers: string = useWatch({ control, name: 'developerSeats' as FieldPath<Values> });
  const stakeholders: string = useWatch({ control, name: 'stakeholderSeats' as FieldPath<Values> });
  const isEnforced: boolean = useWatch({ control, name: 'seatLimitsEnforced' as FieldPath<Values> });
  const change = {
    developerSeats: changedTo(developers, customer.developerSeats),
    stakeholderSeats: changedTo(stakeholders, customer.stakeholderSeats),
    seatLimitsEnforced: isEnforced === customer.seatLimitsEnforced ? undefined : isEnforced,
  };
  const isChanged = Object.values(change).some((value) => value !== undefined);
  const impact = useQuery({ ...customerImpactQuery(manager, customer.id, change), enabled: isChanged });
  return isChanged && <Effects query={impact} effectsOf={effectsOnSeats} list={usersOf(manager, customer.id)} />;
};
