import { defineSlotRecipe } from '@chakra-ui/react';
import { focusRing } from './focusRing.ts';

export const checkbox = defineSlotRecipe({
  className: 'checkbox',
  slots: ['root', 'control', 'label', 'indicator', 'group'],
  base: {
    root: { display: 'inline-flex', gap: '2.5', alignItems: 'flex-start', cursor: 'pointer', position: 'relative' },
    control: {
      display: 'inline-flex',
      alignItems: 'center',
      justifyContent: 'center',
      flexShrink: '0',
      boxSize: '4.5',
      mt: '1px',
      borderWidth: '1px',
      borderColor: 'border.input',
      borderRadius: '5px',
      color: 'white',
      bg: 'bg.panel',
      boxShadow: 'xs',
      p: '0.5',
      transition: 'background-color .12s',
      '&:is([data-state=checked])': { bg: 'brand.solid', borderColor: 'brand.solid' },
      '&[data-focus-visible]': focusRing,
    },
    label: { textStyle: 'sm', fontWeight: 'medium', userSelect: 'none' },
  },
  variants: { size: { md: {} }, variant: { solid: {} } },
  defaultVariants: { size: 'md', variant: 'solid' },
});
