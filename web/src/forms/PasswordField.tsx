import type { ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { FieldFrame } from '../ui/controls.tsx';
import { PasswordInput } from '../ui/PasswordInput.tsx';

type PasswordFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  hint?: ReactNode;
  autoComplete: 'current-password' | 'new-password';
};

/** A required password that can be shown. */
export const PasswordField = <Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  autoComplete,
}: PasswordFieldProps<Values, Output>) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired>
      <PasswordInput {...field} value={field.value ?? ''} autoComplete={autoComplete} />
    </FieldFrame>
  );
};
