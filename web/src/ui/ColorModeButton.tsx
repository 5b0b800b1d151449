import { Button } from '@chakra-ui/react';
import { useColorMode } from './colorMode.ts';
import { Moon, Sun } from './icons.ts';

/** Switches between light and dark. The choice is stored in the browser. */
export const ColorModeButton = () => {
  const { mode, toggle } = useColorMode();
  return (
    <Button variant="ghost" size="sm" px="0" onClick={toggle} aria-label={`Switch to ${mode === 'dark' ? 'light' : 'dark'} mode`}>
      {mode === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </Button>
  );
};
