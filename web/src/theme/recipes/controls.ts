import { defineRecipe } from '@chakra-ui/react';

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
  '&[aria-invalid=true]': { borderColor: 'border.error', _focusVisible: { boxShadow: '0 0 0 3px {colors.red.500/20}' } },
  _disabled: { opacity: '0.6', cursor: 'not-allowed', bg: 'bg.muted' },
};

const size = {
  sm: { textStyle: 'sm', px: '2.5', h: '8' },
  md: { textStyle: 'md', px: '3', h: '9' },
  lg: { textStyle: 'md', px: '3.5', h: '11' },
};

/** The styles of text inputs. */
export const input = defineRecipe({
  className: 'input',
  base: control,
  variants: { size },
  defaultVariants: { size: 'md' },
});

/** The styles of inputs with several lines. */
export const textarea = defineRecipe({
  className: 'textarea',
  base: { ...control, lineHeight: '1.5', py: '2', resize: 'vertical' },
  variants: { size: { md: { textStyle: 'md', px: '3', minH: '20' } } },
  defaultVariants: { size: 'md' },
});

/** The styles of the browser's own select element. */
export const nativeSelect = defineRecipe({
  className: 'native-select',
  base: { ...control, pe: '8', cursor: 'pointer' },
  variants: { size: { sm: size.sm, md: size.md } },
  defaultVariants: { size: 'md' },
});
