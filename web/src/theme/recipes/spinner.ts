import { defineRecipe } from '@chakra-ui/react';

export const spinner = defineRecipe({
  className: 'spinner',
  base: {
    display: 'inline-block',
    borderRadius: 'full',
    borderWidth: '2.5px',
    borderColor: 'bg.emphasized',
    borderTopColor: 'brand.solid',
    width: 'var(--size)',
    height: 'var(--size)',
    animation: 'spin .7s linear infinite',
  },
  variants: {
    size: { inherit: { '--size': '1em' }, sm: { '--size': '1rem' }, md: { '--size': '1.75rem' }, lg: { '--size': '2rem' } },
  },
  defaultVariants: { size: 'md' },
});
