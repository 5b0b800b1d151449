import { Box } from '@chakra-ui/react';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import type { AsOfCardProps } from './AsOfCard.tsx';

/** The space of the slider, so that the layout does not shift. */
const Space = () => <Box minH="184px" />;

/** A customer or service integrator at any moment; loaded after the screen. */
export const AsOf = lazyComponent<AsOfCardProps>(async () => (await import('./AsOfCard.tsx')).AsOfCard, Space);
