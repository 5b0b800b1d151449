import { Box } from '@chakra-ui/react';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import type { LastChangeProps } from './LastChangeText.tsx';

/** The space of the text, so that the layout does not shift. */
const Space = () => <Box minH="4.5" />;

/** Who last changed an object, and when; loaded after the screen. */
export const LastChange = lazyComponent<LastChangeProps>(async () => (await import('./LastChangeText.tsx')).LastChangeText, Space);
