import { useQuery } from '@tanstack/react-query';
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { idleReleaseDays } from '../../../../../src/contracts/fields.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { TextField } from '../../../forms/fields.tsx';
import { wholeNumber } from '../../../lib/numbers.ts';
import { idleSeatsQuery } from '../api/idleSeats.ts';
import { idleReleaseTexts as texts } from '../texts.ts';

type Typed = { idleReleaseDays: string };

/** The days as they are typed; empty where seats are not released automatically. */
export const typedIdleRelease = ({ idleReleaseDays: days }: Customer): Typed => ({
  idleReleaseDays: days === undefined ? '' : String(days),
});

/** The days that were typed; null for never. */
export const idleReleaseIn = ({ idleReleaseDays: typed }: Typed): number | null =>
  typed.trim() === '' ? null : wholeNumber(typed);

/** Whose seats would be released now. */
const usePreview = (manager: CustomerManager, customer: Customer, days: number | null): string | null => {
  const isAsked = days !== null && days !== customer.idleReleaseDays;
  const { data, error } = useQuery({ ...idleSeatsQuery(manager, customer.id, days ?? 1), enabled: isAsked });
  if (!isAsked) return null;
  if (error) return messageOf(error, texts.loadFailed);
  if (!data) return texts.loading;
  const names = data.seats.slice(0, 5).map(({ username }) => username);
  return texts.preview(data.total, names, days);
};

type FieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  manager: CustomerManager;
  customer: Customer;
};

/** After how many idle days seats are released, with a preview of a number that is not saved yet. */
export const IdleReleaseField = <Values extends FieldValues & Typed, Output>({
  control,
  manager,
  customer,
}: FieldProps<Values, Output>) => {
  const name = 'idleReleaseDays' as FieldPath<Values>;
  const typed: string = useWatch({ control, name });
  const checked = idleReleaseDays.safeParse(wholeNumber(typed));
  const preview = usePreview(manager, customer, checked.success ? checked.data : null);
  return <TextField control={control} name={name} inputMode="numeric" label={texts.field} hint={preview ?? texts.hint} />;
};
