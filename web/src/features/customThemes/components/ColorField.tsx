import { chakra, Flex } from '@chakra-ui/react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { customThemeTexts as texts } from '../texts.ts';

const HEX = /^#[0-9a-f]{6}$/i;

const Picker = chakra('input', {
  base: {
    w: '11',
    h: '9',
    p: '1',
    flexShrink: '0',
    cursor: 'pointer',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'border.input',
    borderRadius: 'l2',
  },
});

type ColorFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  isRequired?: boolean;
  /** What the picker shows while the text is not a color. */
  fallback: string;
};

/** A color, picked or typed as #RRGGBB. */
export const ColorField = <Values extends FieldValues, Output>(props: ColorFieldProps<Values, Output>) => {
  const { control, name, label, hint, isRequired = false, fallback } = props;
  const { field, fieldState } = useController({ control, name });
  const typed = String(field.value ?? '').trim();
  return (
    <FieldFrame label={label} error={fieldState.error?.message} hint={hint} isRequired={isRequired}>
      <Flex gap="2" w="full">
        <Picker
          type="color"
          aria-label={texts.picker(label)}
          value={HEX.test(typed) ? typed : fallback}
          onChange={(event) => field.onChange(event.target.value.toUpperCase())}
        />
        <Input
          name={field.name}
          ref={field.ref}
          value={field.value ?? ''}
          onBlur={field.onBlur}
          onChange={field.onChange}
          placeholder={fallback}
          fontFamily="mono"
          letterSpacing="0"
          autoComplete="off"
          spellCheck={false}
        />
      </Flex>
    </FieldFrame>
  );
};
