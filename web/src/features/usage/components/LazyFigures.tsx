import { Box } from '@chakra-ui/react';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import type { UsageFigureGridProps } from './UsageBand.tsx';

/** The height of two rows of figures, so that the layout does not shift. */
const Space = () => <Box minH="184px" />;

/**
 * The figures of a range, loaded when they are shown. They come with the screens of usage: a chunk of their own would cost these a
 * request.
 */
export const UsageFigures = lazyComponent<UsageFigureGridProps>(
  async () => (await import('./UsageView.tsx')).UsageFigureGrid,
  Space,
);
