import { defineSlotRecipe } from '@chakra-ui/react';

/** Centered on a wide screen, at the bottom edge on a phone; `slide-in-left` and `slide-in-right` are drawers. */
export const dialog = defineSlotRecipe({
  className: 'dialog',
  slots: ['trigger', 'backdrop', 'positioner', 'content', 'title', 'description', 'closeTrigger', 'header', 'body', 'footer'],
  base: {
    backdrop: {
      bg: 'rgb(8 15 22 / 0.48)',
      backdropFilter: 'blur(2px)',
      pos: 'fixed',
      inset: '0',
      zIndex: 'modal',
      _open: { animation: 'fade-in .18s ease-out' },
      _closed: { animation: 'fade-out .12s ease-in' },
    },
    positioner: {
      display: 'flex',
      position: 'fixed',
      inset: '0',
      zIndex: 'modal',
      overscrollBehaviorY: 'none',
      overflow: 'auto',
      pointerEvents: 'auto',
    },
    content: {
      display: 'flex',
      flexDirection: 'column',
      position: 'relative',
      outline: '0',
      bg: 'bg.panel',
      color: 'fg',
      boxShadow: 'xl',
      textStyle: 'md',
      _closed: { animation: 'fade-out .1s ease-in' },
    },
    header: {
      display: 'flex',
      flexDirection: 'column',
      gap: '1',
      ps: { base: '5', md: '6' },
      pe: '14',
      pt: '5',
      pb: '4',
      borderBottomWidth: '1px',
      borderColor: 'border.muted',
    },
    title: { textStyle: 'lg', fontWeight: 'semibold', letterSpacing: '-0.016em' },
    description: { color: 'fg.muted', textStyle: 'sm' },
    body: { flex: '1', minH: '0', overflowY: 'auto', px: { base: '5', md: '6' }, py: '5' },
    footer: {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'flex-end',
      gap: '2.5',
      px: { base: '5', md: '6' },
      py: '3.5',
      borderTopWidth: '1px',
      borderColor: 'border.muted',
      bg: 'bg.subtle',
    },
    closeTrigger: { pos: 'absolute', top: '3.5', insetEnd: '3.5' },
  },
  variants: {
    size: {
      sm: { content: { maxW: { md: 'md' } } },
      md: { content: { maxW: { md: 'lg' } } },
      lg: { content: { maxW: { md: '2xl' } } },
    },
    motionPreset: {
      scale: {
        positioner: { alignItems: { base: 'flex-end', md: 'center' }, justifyContent: 'center' },
        content: {
          width: '100%',
          borderRadius: { base: '16px 16px 0 0', md: 'l3' },
          overflow: 'hidden',
          my: { base: '0', md: 'auto' },
          mt: { base: 'auto' },
          maxH: { base: 'calc(100dvh - 24px)', md: 'calc(100dvh - 48px)' },
          _open: {
            animation: {
              base: 'slide-up .26s cubic-bezier(.16,1,.3,1)',
              md: 'pop-in .2s cubic-bezier(.16,1,.3,1)',
            },
          },
        },
      },
      'slide-in-right': {
        positioner: { alignItems: 'stretch', justifyContent: 'flex-end' },
        content: {
          width: '480px',
          maxW: '100vw',
          minH: '100%',
          overflowY: 'auto',
          _open: { animation: 'slide-left .24s cubic-bezier(.16,1,.3,1)' },
        },
      },
      'slide-in-left': {
        positioner: { alignItems: 'stretch', justifyContent: 'flex-start' },
        content: { width: '280px', maxW: '86vw', minH: '100%', _open: { animation: 'slide-right .24s cubic-bezier(.16,1,.3,1)' } },
      },
    },
  },
  defaultVariants: { size: 'md', motionPreset: 'scale' },
});
