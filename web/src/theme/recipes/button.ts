import { defineRecipe } from '@chakra-ui/react';
import { focusRing } from './focusRing.ts';

const press = { _active: { transform: 'translateY(0.5px)' } };

export const button = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    appearance: 'none',
    alignItems: 'center',
    justifyContent: 'center',
    userSelect: 'none',
    position: 'relative',
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
    borderRadius: 'l2',
    borderWidth: '1px',
    borderColor: 'transparent',
    cursor: 'button',
    flexShrink: '0',
    fontWeight: 'medium',
    isolation: 'isolate',
    transition: 'background-color .14s, border-color .14s, color .14s, box-shadow .14s, transform .06s',
    outline: '0',
    lineHeight: '1',
    textDecoration: 'none',
    _focusVisible: focusRing,
    _disabled: { opacity: '0.5', cursor: 'not-allowed', boxShadow: 'none' },
    _icon: { flexShrink: '0' },
  },
  variants: {
    size: {
      xs: { h: '7', minW: '7', px: '2.5', gap: '1.5', textStyle: 'xs', _icon: { boxSize: '3.5' } },
      sm: { h: '8', minW: '8', px: '3', gap: '1.5', textStyle: 'sm', _icon: { boxSize: '4' } },
      md: { h: '9', minW: '9', px: '3.5', gap: '2', textStyle: 'md', _icon: { boxSize: '4' } },
      lg: { h: '11', minW: '11', px: '5', gap: '2', textStyle: 'md', _icon: { boxSize: '4.5' } },
    },
    variant: {
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        boxShadow: 'button',
        _hover: { bg: 'color-mix(in oklab, var(--chakra-colors-color-palette-solid), black 12%)' },
        _disabled: { bg: 'colorPalette.solid' },
        ...press,
      },
      outline: {
        bg: 'bg.panel',
        color: 'fg',
        borderColor: 'border.control',
        boxShadow: 'xs',
        _hover: { bg: 'bg.subtle', borderColor: 'border.emphasized' },
        _expanded: { bg: 'bg.muted' },
        ...press,
      },
      subtle: { bg: 'colorPalette.subtle', color: 'colorPalette.fg', _hover: { bg: 'colorPalette.muted' } },
      ghost: { bg: 'transparent', color: 'fg.muted', _hover: { bg: 'bg.muted', color: 'fg' }, _expanded: { bg: 'bg.muted' } },
      plain: {
        color: 'colorPalette.fg',
        px: '0',
        h: 'auto',
        minW: '0',
        borderRadius: 'xs',
        _hover: { textDecoration: 'underline', textUnderlineOffset: '3px' },
      },
    },
  },
  defaultVariants: { size: 'md', variant: 'solid' },
});
