import { chakra } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { focusRing } from '../theme/recipes/focusRing.ts';

const Track = chakra('input', {
  base: {
    appearance: 'none',
    position: 'relative',
    w: '9',
    h: '5',
    flexShrink: '0',
    mt: '1px',
    borderRadius: 'full',
    bg: 'border.input',
    cursor: 'switch',
    transition: 'background-color .14s',
    _checked: { bg: 'brand.solid', _before: { transform: 'translateX(16px)' } },
    _before: {
      content: '""',
      position: 'absolute',
      top: '2px',
      insetStart: '2px',
      boxSize: '4',
      borderRadius: 'full',
      bg: 'white',
      boxShadow: 'xs',
      transition: 'transform .14s',
    },
    _focusVisible: focusRing,
  },
});

type SwitchProps = Omit<ComponentProps<typeof Track>, 'type' | 'role' | 'id' | 'aria-describedby'> & {
  label: string;
  hint?: ReactNode;
};

/** A switch with a label, and an optional hint that describes it. */
export const Switch = ({ label, hint, ...track }: SwitchProps) => {
  const id = useId();
  const note = `${id}-note`;
  return (
    <chakra.div display="flex" gap="3" alignItems="flex-start" justifyContent="space-between">
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
      <Track {...track} type="checkbox" role="switch" id={id} {...(hint && { 'aria-describedby': note })} />
    </chakra.div>
  );
};
