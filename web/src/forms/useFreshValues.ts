import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * Shows newer values in a form that the user has not edited, such as after a change by another user.
 * Returns whether the user has edited the form.
 */
export const useFreshValues = <Values extends FieldValues, Output>(
  { formState: { isDirty }, reset }: Pick<UseFormReturn<Values, unknown, Output>, 'formState' | 'reset'>,
  values: Values,
): boolean => {
  const newest = JSON.stringify(values);
  useEffect(() => {
    if (!isDirty) reset(JSON.parse(newest));
  }, [isDirty, newest, reset]);
  return isDirty;
};
