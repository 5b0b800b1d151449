import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * Shows newer values in a form that nobody has typed in, as when the same is changed elsewhere; what was typed stays.
 * Gives whether somebody has typed.
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
