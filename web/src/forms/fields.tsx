import { Box, Checkbox, Field, Flex, Input, NativeSelect, Textarea } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { Check, CircleAlert } from '../ui/icons.ts';

type FrameProps = { label: string; error?: string | undefined; hint?: ReactNode; isRequired?: boolean; children: ReactNode };

/** Label, control, and below it the error or else the hint. */
export const FieldFrame = ({ label, error, hint, isRequired = false, children }: FrameProps) => (
  <Field.Root invalid={Boolean(error)} required={isRequired}>
    <Flex gap="1.5" align="baseline">
      <Field.Label>{label}</Field.Label>
      {!isRequired && (
        <Box as="span" color="fg.subtle" textStyle="sm" aria-hidden>
          (optional)
        </Box>
      )}
    </Flex>
    {children}
    {error ? (
      <Field.ErrorText>
        <CircleAlert aria-hidden />
        {error}
      </Field.ErrorText>
    ) : (
      hint && <Field.HelperText>{hint}</Field.HelperText>
    )}
  </Field.Root>
);

type BoundProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
};

type InputProps = Pick<ComponentProps<typeof Input>, 'type' | 'placeholder' | 'autoComplete' | 'inputMode' | 'disabled' | 'size'>;

/** A line of text. `transform` changes what is typed, as to upper case. */
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
}: BoundProps<Values, Output> & { rows?: number }) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <Textarea {...field} rows={rows} value={field.value ?? ''} />
    </FieldFrame>
  );
};

/** One of a list; children are `option` elements. */
export const SelectField = <Values extends FieldValues, Output>({
  control,
  name,
  label,
  hint,
  isRequired = false,
  children,
}: BoundProps<Values, Output> & { children: ReactNode }) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <NativeSelect.Root>
        <NativeSelect.Field
          name={field.name}
          ref={field.ref}
          value={field.value ?? ''}
          onBlur={field.onBlur}
          onChange={(event) => field.onChange(event.target.value)}
        >
          {children}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FieldFrame>
  );
};

/** Yes or no. */
export const CheckboxField = <Values extends FieldValues, Output>({ control, name, label, hint }: BoundProps<Values, Output>) => (
  <Controller
    control={control}
    name={name}
    render={({ field }) => (
      <Checkbox.Root checked={field.value === true} onCheckedChange={({ checked }) => field.onChange(checked === true)}>
        <Checkbox.HiddenInput ref={field.ref} onBlur={field.onBlur} />
        <Checkbox.Control>{field.value === true && <Check aria-hidden strokeWidth={3} />}</Checkbox.Control>
        <Box>
          <Checkbox.Label>{label}</Checkbox.Label>
          {hint && (
            <Box textStyle="xs" color="fg.subtle" mt="0.5">
              {hint}
            </Box>
          )}
        </Box>
      </Checkbox.Root>
    )}
  />
);
