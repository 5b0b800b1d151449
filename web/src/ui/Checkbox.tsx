import { chakra } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { focusRing } from '../theme/recipes/focusRing.ts';

const Box = chakra('input', {
  base: {
    boxSize: '4.5',
    mt: '1px',
    flexShrink: '0',
    cursor: 'pointer',
    accentColor: 'var(--chakra-colors-brand-solid)',
    _focusVisible: focusRing,
    _disabled: { cursor: 'not-allowed' },
  },
});

type CheckboxProps = Omit<ComponentProps<typeof Box>, 'type' | 'id' | 'aria-describedby'> & { label: string; hint?: ReactNode };

/** The browser's own checkbox in the brand's color. */
export const Checkbox = ({ label, hint, ...box }: CheckboxProps) => {
  const id = useId();
  const note = `${id}-note`;
  return (
    <chakra.div display="flex" gap="2.5" alignItems="flex-start">
      <Box {...box} type="checkbox" id={id} {...(hint && { 'aria-describedby': note })} />
      <div>
        <chakra.label htmlFor={id} display="block" textStyle="sm" fontWeight="medium" cursor="pointer" userSelect="none">
          {label}
        </chakra.label>
        {hint && (
          <chakra.div id={note} textStyle="xs" color="fg.subtle" mt="0.5">
            {hint}
          </chakra.div>
        )}
      </div>
    </chakra.div>
  );
};
