import { useQuery } from '@tanstack/react-query';
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { floatingMinutes } from '../../../../../src/contracts/floatingSeats.ts';
import { UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { TextField } from '../../../forms/fields.tsx';
import { wholeNumber } from '../../../lib/numbers.ts';
import { customerImpactQuery } from '../../impact/index.ts';
import { floatingSeatsTexts as texts } from '../texts.ts';

type Typed = { floatingDeveloperMinutes: string };

/** The minutes of a license or a plan as they are typed; empty where developer seats are named. */
export const typedFloating = ({
  floatingDeveloperMinutes: minutes,
}: Readonly<{ floatingDeveloperMinutes?: number | null | undefined }>): Typed => ({
  floatingDeveloperMinutes: minutes == null ? '' : String(minutes),
});

/** The minutes that were typed; null for named seats. */
export const floatingIn = ({ floatingDeveloperMinutes: typed }: Typed): number | null =>
  typed.trim() === '' ? null : wholeNumber(typed);

/** What the typed minutes mean for the users of now; null without a change, or for what is no number of minutes. */
const usePreview = (manager: CustomerManager, customer: Customer, typed: string, typedSeats: string): string | null => {
  const minutes = floatingIn({ floatingDeveloperMinutes: typed });
  const isFloating = customer.floatingDeveloperMinutes !== undefined;
  const isAsked = minutes === null ? isFloating : floatingMinutes.safeParse(minutes).success;
  const isChanged = isAsked && minutes !== (customer.floatingDeveloperMinutes ?? null);
  const { data, error } = useQuery({ ...customerImpactQuery(manager, customer.id), enabled: isChanged });
  if (!isChanged) return null;
  if (error) return messageOf(error, texts.loadFailed);
  if (!data) return texts.loading;
  const seats = wholeNumber(typedSeats);
  const limit = seats === UNLIMITED_SEATS || !customer.seatLimitsEnforced ? null : seats;
  if (minutes === null) return texts.named(data, limit);
  return isFloating ? texts.changed(minutes) : texts.shared(data, limit, minutes);
};

type FieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  manager: CustomerManager;
  customer: Customer;
};

/** After how many minutes without use a floating developer seat becomes free, with a preview of a number that is not saved yet. */
export const FloatingSeatsField = <Values extends FieldValues & Typed & { developerSeats: string }, Output>({
  control,
  manager,
  customer,
}: FieldProps<Values, Output>) => {
  const name = 'floatingDeveloperMinutes' as FieldPath<Values>;
  const typed: string = useWatch({ control, name });
  const seats: string = useWatch({ control, name: 'developerSeats' as FieldPath<Values> });
  const preview = usePreview(manager, customer, typed, seats);
  return <TextField control={control} name={name} inputMode="numeric" label={texts.field} hint={preview ?? texts.hint} />;
};
