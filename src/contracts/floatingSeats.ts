import { z } from 'zod';
import { MAX_FLOATING_MINUTES } from '../domain/limits.ts';

/** After how many minutes without use a floating seat becomes free. */
export const floatingMinutes = z
  .int('Must be a whole number')
  .min(1, 'Must be 1 or more')
  .max(MAX_FLOATING_MINUTES, `Must be at most ${MAX_FLOATING_MINUTES}`);
