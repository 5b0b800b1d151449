import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { FieldFrame } from '../ui/controls.tsx';
import { SearchSelect, type SearchSelectProps } from '../ui/SearchSelect.tsx';

type SearchSelectFieldProps<Values extends FieldValues, Output> = Omit<
  SearchSelectProps,
  'value' | 'onChange' | 'name' | 'ref' | 'onBlur'
> & {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  isRequired?: boolean;
};

/** A form's choice of many options, searched on the server. The field's value is that of the chosen option. */
export const SearchSelectField = <Values extends FieldValues, Output>({
  control,
  name,
  isRequired = false,
  ...select
}: SearchSelectFieldProps<Values, Output>) => {
  const { field, fieldState } = useController({ control, name });
  return (
    <FieldFrame label={select.label} error={fieldState.error?.message} isRequired={isRequired}>
      <SearchSelect
        {...select}
        name={field.name}
        ref={field.ref}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  );
};
