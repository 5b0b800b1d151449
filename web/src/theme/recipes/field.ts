import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';

const control = {
  width: '100%',
  minWidth: '0',
  appearance: 'none',
  textAlign: 'start',
  borderRadius: 'l2',
  bg: 'bg.panel',
  color: 'fg',
  borderWidth: '1px',
  borderColor: 'border.input',
  boxShadow: 'xs',
  outline: '0',
  transition: 'border-color .14s, box-shadow .14s',
  _hover: { borderColor: 'gray.600', _dark: { borderColor: 'gray.400' } },
  _placeholder: { color: 'fg.subtle', opacity: 1 },
  _focusVisible: { borderColor: 'brand.500', boxShadow: '0 0 0 3px {colors.brand.500/20}', outline: '0' },
  _invalid: { borderColor: 'border.error', _focusVisible: { boxShadow: '0 0 0 3px {colors.red.500/20}' } },
  _disabled: { opacity: '0.6', cursor: 'not-allowed', bg: 'bg.muted' },
};

const size = {
  sm: { textStyle: 'sm', px: '2.5', h: '8' },
  md: { textStyle: 'md', px: '3', h: '9' },
  lg: { textStyle: 'md', px: '3.5', h: '11' },
};

export const input = defineRecipe({
  className: 'input',
  base: control,
  variants: { size, variant: { outline: {} } },
  defaultVariants: { size: 'md', variant: 'outline' },
});

export const textarea = defineRecipe({
  className: 'textarea',
  base: { ...control, lineHeight: '1.5', py: '2', resize: 'vertical' },
  variants: { size: { md: { textStyle: 'md', px: '3', minH: '20' } }, variant: { outline: {} } },
  defaultVariants: { size: 'md', variant: 'outline' },
});

export const nativeSelect = defineSlotRecipe({
  className: 'native-select',
  slots: ['root', 'field', 'indicator'],
  base: {
    root: { height: 'fit-content', display: 'flex', width: '100%', position: 'relative' },
    field: { ...control, pe: '8', cursor: 'pointer' },
    indicator: {
      position: 'absolute',
      display: 'flex',
      alignItems: 'center',
      insetEnd: '2.5',
      top: '50%',
      transform: 'translateY(-50%)',
      pointerEvents: 'none',
      color: 'fg.subtle',
      _icon: { boxSize: '4' },
    },
  },
  variants: { size: { sm: { field: size.sm }, md: { field: size.md } }, variant: { outline: {} } },
  defaultVariants: { size: 'md', variant: 'outline' },
});

export const field = defineSlotRecipe({
  className: 'field',
  slots: ['root', 'label', 'errorText', 'helperText', 'requiredIndicator'],
  base: {
    root: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', width: '100%', position: 'relative', gap: '1.5' },
    label: { display: 'flex', alignItems: 'center', textStyle: 'sm', fontWeight: 'medium', color: 'fg', gap: '1' },
    requiredIndicator: { color: 'fg.error', lineHeight: '1' },
    errorText: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '1',
      color: 'fg.error',
      textStyle: 'xs',
      fontWeight: 'medium',
      _icon: { boxSize: '3.5', flexShrink: '0' },
    },
    helperText: { color: 'fg.subtle', textStyle: 'xs' },
  },
});
