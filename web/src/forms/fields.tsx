import type { ComponentProps, ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import { FieldFrame, Input, Select, Textarea } from '../ui/controls.tsx';

type BoundProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
};

type InputProps = Pick<ComponentProps<typeof Input>, 'type' | 'placeholder' | 'autoComplete' | 'inputMode' | 'disabled' | 'size'>;

/** A line of text. `transform` changes the typed text, such as to upper case. */
export const TextField = <Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  isRequired = false,
  transform,
  ...input
}: BoundProps<Values, Output> & InputProps & { transform?: (typed: string) => string }) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <Input
        autoComplete="off"
        {...input}
        name={field.name}
        ref={field.ref}
        value={field.value ?? ''}
        onBlur={field.onBlur}
        onChange={(event) => field.onChange(transform ? transform(event.target.value) : event.target.value)}
      />
    </FieldFrame>
  );
};

/** Several lines of text. */
export const TextAreaField = <Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  isRequired = false,
  rows = 3,
  placeholder,
}: BoundProps<Values, Output> & { rows?: number; placeholder?: string }) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <Textarea {...field} rows={rows} placeholder={placeholder} value={field.value ?? ''} />
    </FieldFrame>
  );
};

/** A select; children are `option` elements. `onChosen` is called after the user chose one. */
export const SelectField = <Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  isRequired = false,
  onChosen,
  children,
}: BoundProps<Values, Output> & { onChosen?: (value: string) => void; children: ReactNode }) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <Select
        name={field.name}
        ref={field.ref}
        value={field.value ?? ''}
        onBlur={field.onBlur}
        onChange={(event) => {
          field.onChange(event.target.value);
          onChosen?.(event.target.value);
        }}
      >
        {children}
      </Select>
    </FieldFrame>
  );
};

/** A checkbox that is bound to a field of a form, with an optional hint below its label. */
export const CheckboxField = <Values extends FieldValues, Output>({ control, name, label, hint }: BoundProps<Values, Output>) => {
  const { field } = useController({ control, name });
  return (
    <Checkbox
      name={field.name}
      ref={field.ref}
      label={label}
      hint={hint}
      checked={field.value === true}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  );
};
